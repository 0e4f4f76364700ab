package io.steadfs.mds.call;

import io.steadfs.store.Derived;
import io.steadfs.store.ReadView;
import io.steadfs.store.Sources;
import io.steadfs.store.Table;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A view of a state that ends after its read was cancelled. From then on, each lookup and each step of a scan throws
 * {@link Stopped}. A cancelled long read therefore ends soon and frees its thread.
 */
final class CancellableView implements ReadView {
    private final ReadView view;
    private final BooleanSupplier cancelled;

    CancellableView(ReadView view, BooleanSupplier cancelled) {
        this.view = view;
        this.cancelled = cancelled;
    }

    /** Thrown after the read was cancelled. A cancelled read is ordinary, so the exception carries no stack trace. */
    static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("nobody waits for the read any more", null, false, false);
        }
    }

    @Override
    public Optional<byte[]> get(Table table, byte[] key) {
        check();
        return view.get(table, key);
    }

    @Override
    public ReadView newest() {
        return view.newest();
    }

    @Override
    public Optional<Derived> kept(Object question) {
        return view.kept(question);
    }

    @Override
    public boolean keepsDerived() {
        return view.keepsDerived();
    }

    @Override
    public void keep(Object question, Derived derived, Sources sources) {
        view.keep(question, derived, sources);
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        check();
        Cursor cursor = view.scan(table, from, to);
        return new Cursor() {
            @Override
            public boolean next() {
                check();
                return cursor.next();
            }

            @Override
            public byte[] key() {
                return cursor.key();
            }

            @Override
            public byte[] value() {
                return cursor.value();
            }

            @Override
            public void close() {
                cursor.close();
            }
        };
    }

    private void check() {
        if (cancelled.getAsBoolean()) {
            throw new Stopped();
        }
    }
}

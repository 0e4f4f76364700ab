package io.steadfs.mds.xattr;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The extended attributes of a state: one row each, so that a long value weighs on nothing else. */
public final class Xattrs {
    /** Longer than any name. */
    private static final int NAME_BYTES = 1 << 10;

    private Xattrs() {}

    public static Optional<byte[]> find(ReadView view, Handle object, String name) {
        return view.get(ShardTables.XATTR, key(object, name));
    }

    /** All of one object, by name. */
    public static void forEach(ReadView view, Handle object, BiConsumer<String, byte[]> action) {
        byte[] from = Keys.of(object.value());
        try (ReadView.Cursor cursor = view.scan(ShardTables.XATTR, from, Keys.endOf(from))) {
            while (cursor.next()) {
                byte[] key = cursor.key();
                String name = new String(key, Long.BYTES, key.length - Long.BYTES, StandardCharsets.UTF_8);
                action.accept(name, cursor.value());
            }
        }
    }

    /**
     * How many each object has, of those whose handles are from the first key to the last one; an object that has none is left out.
     *
     * @param first handle 8, or less than one
     */
    public static Map<Handle, Integer> counts(ReadView view, byte[] first, byte[] last) {
        Map<Handle, Integer> counts = new HashMap<>();
        byte[] end = Arrays.copyOf(last, Math.max(last.length, Long.BYTES) + NAME_BYTES);
        Arrays.fill(end, last.length, end.length, (byte) 0xff);
        try (ReadView.Cursor cursor = view.scan(ShardTables.XATTR, first, end)) {
            while (cursor.next()) {
                if (cursor.key().length >= Long.BYTES) {
                    counts.merge(new Handle(Keys.longAt(cursor.key(), 0)), 1, Integer::sum);
                }
            }
        }
        return counts;
    }

    public static List<String> names(ReadView view, Handle object) {
        List<String> names = new ArrayList<>();
        forEach(view, object, (name, value) -> names.add(name));
        return names;
    }

    /** Handle 8, name (UTF-8) with its namespace. */
    static byte[] key(Handle object, String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        byte[] key = new byte[Long.BYTES + utf8.length];
        Keys.putLong(key, 0, object.value());
        System.arraycopy(utf8, 0, key, Long.BYTES, utf8.length);
        return key;
    }
}

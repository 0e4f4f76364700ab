package io.steadfs.store;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Merges the rows of a state with changes of this state, in key order. The cursor looks up the changes row by row, so
 * the caller may add changes while the cursor is open.
 */
final class OverlaidCursor implements ReadView.Cursor {
    private final NavigableMap<byte[], Optional<byte[]>> changes;
    private final ReadView.Cursor rest;
    private final byte[] to;
    /** The key from which the next row is searched. */
    private byte[] position;

    private boolean begun;
    private boolean ended;
    /**
     * The key of a row that the cursor of the state has reached and that this cursor has not returned yet. The value is
     * null if there is no such row.
     */
    private byte @Nullable [] waiting;

    private boolean restEnded;
    private byte @Nullable [] key;
    private byte @Nullable [] value;

    OverlaidCursor(NavigableMap<byte[], Optional<byte[]>> changes, ReadView.Cursor rest, byte[] from, byte[] to) {
        this.changes = changes;
        this.rest = rest;
        this.position = from;
        this.to = to;
    }

    @Override
    public boolean next() {
        key = null;
        value = null;
        while (!ended) {
            if (waiting == null && !restEnded) {
                restEnded = !rest.next();
                waiting = restEnded ? null : rest.key();
            }
            Map.@Nullable Entry<byte[], Optional<byte[]>> change = nextChange();
            if (waiting != null && (change == null || Arrays.compareUnsigned(waiting, change.getKey()) < 0)) {
                standOn(waiting, rest.value());
                waiting = null;
                return true;
            }
            if (change == null) {
                ended = true;
                return false;
            }
            if (waiting != null && Arrays.equals(waiting, change.getKey())) {
                waiting = null;
            }
            if (change.getValue().isPresent()) {
                standOn(change.getKey().clone(), change.getValue().get().clone());
                return true;
            }
            position = change.getKey();
            begun = true;
        }
        return false;
    }

    private Map.@Nullable Entry<byte[], Optional<byte[]>> nextChange() {
        Map.@Nullable Entry<byte[], Optional<byte[]>> change =
                begun ? changes.higherEntry(position) : changes.ceilingEntry(position);
        return change == null || Arrays.compareUnsigned(change.getKey(), to) >= 0 ? null : change;
    }

    private void standOn(byte[] foundKey, byte[] foundValue) {
        key = foundKey;
        value = foundValue;
        position = foundKey.clone();
        begun = true;
    }

    @Override
    public byte[] key() {
        return present(key);
    }

    @Override
    public byte[] value() {
        return present(value);
    }

    private static byte[] present(byte @Nullable [] bytes) {
        if (bytes == null) {
            throw new NoSuchElementException("the cursor stands on no row");
        }
        return bytes;
    }

    @Override
    public void close() {
        rest.close();
    }
}

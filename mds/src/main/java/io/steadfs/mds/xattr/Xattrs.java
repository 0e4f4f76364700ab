package io.steadfs.mds.xattr;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.SurvivingRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Reads the extended attributes of a state. Each attribute has its own row, so that a long value slows down nothing
 * else.
 */
public final class Xattrs {
    /** A number of bytes above the length of any attribute's name. */
    private static final int NAME_BYTES = 1 << 10;

    private Xattrs() {}

    public static Optional<byte[]> find(ReadView view, Handle object, String name) {
        return view.get(ShardTables.XATTR, key(object, name));
    }

    /** Visits all extended attributes of one object, in the order of their names. */
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
     * Counts the extended attributes of each object in a range of handles. Objects without attributes are left out.
     *
     * @param first key of the first object: a handle in 8 bytes, or a damaged key of another length
     * @param last key of the last object, in the same form as {@code first}
     */
    public static Counts counts(ReadView view, byte[] first, byte[] last) {
        Map<Handle, Integer> counts = new HashMap<>();
        List<SurvivingRows.Gap> gaps = new ArrayList<>();
        byte[] end = Arrays.copyOf(last, Math.max(last.length, Long.BYTES) + NAME_BYTES);
        Arrays.fill(end, last.length, end.length, (byte) 0xff);
        SurvivingRows.visit(view, ShardTables.XATTR, first, end, new SurvivingRows.Visitor() {
            @Override
            public boolean row(byte[] key, byte[] value) {
                if (key.length >= Long.BYTES) {
                    counts.merge(new Handle(Keys.longAt(key, 0)), 1, Integer::sum);
                }
                return true;
            }

            @Override
            public boolean gap(SurvivingRows.Gap gap) {
                gaps.add(gap);
                return true;
            }
        });
        return new Counts(counts, gaps);
    }

    /**
     * Numbers of extended attributes of many objects.
     *
     * @param gaps ranges where rows cannot be read; the number is unknown for objects in these ranges
     */
    public record Counts(Map<Handle, Integer> known, List<SurvivingRows.Gap> gaps) {
        /** The counts of an empty set of objects. */
        public static final Counts NONE = new Counts(Map.of(), List.of());

        public Counts {
            known = Map.copyOf(known);
            gaps = List.copyOf(gaps);
        }

        /** The number of the object's extended attributes; empty if the number is unknown. */
        public Optional<Integer> of(Handle object) {
            byte[] first = Keys.of(object.value());
            byte[] end = Keys.endOf(first);
            boolean isUnknown = gaps.stream()
                    .anyMatch(gap ->
                            Arrays.compareUnsigned(gap.from(), end) < 0 && Arrays.compareUnsigned(first, gap.to()) < 0);
            return isUnknown ? Optional.empty() : Optional.of(known.getOrDefault(object, 0));
        }
    }

    public static List<String> names(ReadView view, Handle object) {
        List<String> names = new ArrayList<>();
        forEach(view, object, (name, value) -> names.add(name));
        return names;
    }

    /** The key: the handle in 8 bytes, then the name in UTF-8 with its namespace. */
    static byte[] key(Handle object, String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        byte[] key = new byte[Long.BYTES + utf8.length];
        Keys.putLong(key, 0, object.value());
        System.arraycopy(utf8, 0, key, Long.BYTES, utf8.length);
        return key;
    }
}

package io.steadfs.client.list;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sorts values by their names, in the order of {@link String#compareTo}. Names in a directory mostly have the same
 * prefix, and a plain sort would compare this prefix again and again. This class instead packs the next characters
 * after the common prefix into a 64-bit number. The number also contains the name's place in the list. Then the class
 * sorts these numbers instead of the names. If several names have the same packed characters, the class sorts these
 * names again by the characters that follow.
 *
 * <pre>
 * 63  62                                            n            0
 * +--+---------+---------+-- ... --+---------+------+------------+
 * |0 | 8 bits for each of the next characters| 0    | place      |
 * +--+---------+---------+-- ... --+---------+------+------------+
 * </pre>
 *
 * The value of a character's 8 bits is its code plus one, but at most 255. After a character with the value 255, and
 * after the end of the name, all bits are 0.
 */
public final class ByName<T> {
    private static final int MOST_CODE = 0xff;

    private final List<String> names = new ArrayList<>();
    private final List<T> values = new ArrayList<>();

    public void add(String name, T value) {
        names.add(name);
        values.add(value);
    }

    public List<T> sorted() {
        int[] places = IntStream.range(0, names.size()).toArray();
        sort(places, 0, places.length, -1);
        List<T> sorted = new ArrayList<>(places.length);
        for (int place : places) {
            sorted.add(values.get(place));
        }
        return sorted;
    }

    /**
     * Sorts the part of {@code places} from index {@code from} up to, but not including, {@code to}.
     *
     * @param alike length of the common prefix of the larger part that was sorted before; -1 = nothing was sorted yet
     */
    private void sort(int[] places, int from, int to, int alike) {
        if (to - from < 2) {
            return;
        }
        int common = common(places, from, to);
        if (common == alike) {
            // The first characters that differ do not fit into eight bits.
            sortByComparing(places, from, to);
            return;
        }
        int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(to - from - 1);
        int characters = (Long.SIZE - 1 - placeBits) / Byte.SIZE;
        int shift = Long.SIZE - 1 - characters * Byte.SIZE;
        long[] keys = new long[to - from];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = code(names.get(places[from + i]), common, characters) << shift | i;
        }
        Arrays.sort(keys);
        int[] before = Arrays.copyOfRange(places, from, to);
        for (int i = 0; i < keys.length; i++) {
            places[from + i] = before[(int) (keys[i] & (1L << placeBits) - 1)];
        }
        int first = 0;
        for (int i = 1; i <= keys.length; i++) {
            if (i == keys.length || keys[i] >>> shift != keys[first] >>> shift) {
                sort(places, from + first, from + i, common);
                first = i;
            }
        }
    }

    /** Length of the common prefix of all names in this part, in characters. */
    private int common(int[] places, int from, int to) {
        String first = names.get(places[from]);
        int common = first.length();
        for (int i = from + 1; i < to && common > 0; i++) {
            String name = names.get(places[i]);
            if (!name.regionMatches(0, first, 0, common)) {
                common = common(name, first, Math.min(common, name.length()));
            }
        }
        return common;
    }

    private static int common(String name, String other, int most) {
        int same = 0;
        while (same < most && name.charAt(same) == other.charAt(same)) {
            same++;
        }
        return same;
    }

    private static long code(String name, int begin, int characters) {
        long code = 0;
        int end = Math.min(name.length(), begin + characters);
        int at = begin;
        int last = 0;
        while (at < end && last < MOST_CODE) {
            last = Math.min(name.charAt(at) + 1, MOST_CODE);
            code = code << Byte.SIZE | last;
            at++;
        }
        return code << (Byte.SIZE * (begin + characters - at));
    }

    private void sortByComparing(int[] places, int from, int to) {
        int[] sorted = Arrays.stream(places, from, to)
                .boxed()
                .sorted(Comparator.comparing(names::get))
                .mapToInt(Integer::intValue)
                .toArray();
        System.arraycopy(sorted, 0, places, from, sorted.length);
    }
}

package io.steadfs.handle;

/**
 * A range of consecutive handles with the same owner and incarnation.
 *
 * @param first lowest handle of the range
 * @param last highest handle of the range, at least {@code first}
 */
public record HandleRange(Handle first, Handle last) {
    /**
     * @throws IllegalArgumentException if the handles differ in owner or incarnation, or the last is below the first
     */
    public HandleRange {
        boolean sameOwner = first.owner() == last.owner() && first.incarnation() == last.incarnation();
        if (!sameOwner || first.sequence() < 1 || first.compareTo(last) > 0) {
            throw new IllegalArgumentException("from handle " + first + " to " + last + " is no range");
        }
    }

    /**
     * @throws IllegalArgumentException if the owner's incarnation has fewer than {@code count} handles from the first
     *     on
     */
    public static HandleRange of(Handle first, long count) {
        return new HandleRange(first, new Handle(first.value() + count - 1));
    }

    public long count() {
        return last.value() - first.value() + 1;
    }

    public boolean holds(Handle handle) {
        return first.compareTo(handle) <= 0 && handle.compareTo(last) <= 0;
    }

    @Override
    public String toString() {
        return first + ".." + last;
    }
}

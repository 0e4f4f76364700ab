package io.steadfs.handle;

/**
 * Consecutive handles of one owner and incarnation.
 *
 * @param last included in the range, not below the first
 */
public record HandleRange(Handle first, Handle last) {
    /** @throws IllegalArgumentException if this is no range */
    public HandleRange {
        boolean sameOwner = first.owner() == last.owner() && first.incarnation() == last.incarnation();
        if (!sameOwner || first.sequence() < 1 || first.compareTo(last) > 0) {
            throw new IllegalArgumentException("from handle " + first + " to " + last + " is no range");
        }
    }

    /** @throws IllegalArgumentException if there are not so many handles from the first one on */
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

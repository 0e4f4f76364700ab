package io.steadfs.client.list;

/**
 * A partition of a directory. It has the names whose hashes are in its range.
 *
 * @param number with its bits in reverse order, the start of the range
 * @param depth number of splits that led to the range: it is the 2^depth-th part of all hashes
 * @param shard number of the shard that has the names
 * @param entries number of names; 0 if they are counted with those of another partition
 * @param countedWith number of the partition with which the names are counted: its own, unless one directory of the shard
 *     has the names of both
 */
public record PartitionInfo(int number, int depth, int shard, long entries, int countedWith) {
    /** A partition whose names are counted by themselves. */
    public PartitionInfo(int number, int depth, int shard, long entries) {
        this(number, depth, shard, entries, number);
    }

    /** The number of names in words. */
    public String names() {
        return countedWith == number ? String.valueOf(entries) : "with " + countedWith;
    }

    /** The lowest hash of the range, as an unsigned number. */
    public long firstHash() {
        return Long.reverse(number);
    }

    /** The highest hash of the range, as an unsigned number. */
    public long lastHash() {
        return firstHash() | -1L >>> depth;
    }
}

package io.steadfs.client.list;

/**
 * A partition of a directory. It has the names whose hashes are in its range.
 *
 * @param number with its bits in reverse order, the start of the range
 * @param depth number of splits that led to the range: it is the 2^depth-th part of all hashes
 * @param shard number of the shard that has the names
 * @param entries number of names
 */
public record PartitionInfo(int number, int depth, int shard, long entries) {
    /** The lowest hash of the range, as an unsigned number. */
    public long firstHash() {
        return Long.reverse(number);
    }

    /** The highest hash of the range, as an unsigned number. */
    public long lastHash() {
        return firstHash() | -1L >>> depth;
    }
}

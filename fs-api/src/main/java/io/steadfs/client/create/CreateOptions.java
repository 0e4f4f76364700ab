package io.steadfs.client.create;

/**
 * How a file is made.
 *
 * @param mode POSIX permission bits, umask already applied
 * @param overwrite replace an existing file, atomically; else refuse
 * @param createParents make missing parents, with {@code parentMode}
 * @param parentMode permission bits, or {@link #AS_ABOVE}; its owner can write and go through each parent in any case
 * @param width columns; 0 = the cluster's default
 * @param stripSize bytes; 0 = the cluster's default
 * @param blockSize bytes; 0 = the cluster's default
 * @param replication copies that are asked for, which the file keeps as an attribute; 0 = one
 */
public record CreateOptions(
        int mode,
        boolean overwrite,
        boolean createParents,
        int parentMode,
        int width,
        int stripSize,
        long blockSize,
        int replication) {

    /** Parents get the permission bits of the directory in which they are made. */
    public static final int AS_ABOVE = -1;

    /** Exclusive create with 0644, parents made with 0755. */
    public static final CreateOptions DEFAULT = new CreateOptions(0644, false, true, 0755, 0, 0, 0);

    /** Options with one copy. */
    public CreateOptions(
            int mode,
            boolean overwrite,
            boolean createParents,
            int parentMode,
            int width,
            int stripSize,
            long blockSize) {
        this(mode, overwrite, createParents, parentMode, width, stripSize, blockSize, 0);
    }

    boolean parentsAsAbove() {
        return parentMode == AS_ABOVE;
    }

    public CreateOptions withOverwrite(boolean value) {
        return new CreateOptions(mode, value, createParents, parentMode, width, stripSize, blockSize, replication);
    }

    public CreateOptions withLayout(int columns, int stripBytes) {
        return new CreateOptions(
                mode, overwrite, createParents, parentMode, columns, stripBytes, blockSize, replication);
    }

    public CreateOptions withReplication(int copies) {
        return new CreateOptions(mode, overwrite, createParents, parentMode, width, stripSize, blockSize, copies);
    }
}

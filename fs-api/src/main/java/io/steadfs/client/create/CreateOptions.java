package io.steadfs.client.create;

/**
 * Options for making a file.
 *
 * @param mode POSIX permission bits, after the umask was applied
 * @param overwrite whether an existing file is replaced atomically; if false, the create of an existing file fails
 * @param createParents whether missing parent directories are made
 * @param parentMode permission bits of the parent directories that are made, or {@link #AS_ABOVE}; the owner's write
 *     and execute bits are always added
 * @param width number of columns; 0 = the cluster's default
 * @param stripSize bytes of a strip; 0 = the cluster's default
 * @param blockSize bytes of a block; 0 = the cluster's default
 * @param replication number of copies that the caller asks for, kept as an attribute of the file; 0 = one copy
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

    /** Value of the parent mode: new parent directories get the permission bits of the deepest existing directory. */
    public static final int AS_ABOVE = -1;

    /** Default options: the file must be new and gets the mode 0644, and missing parents get the mode 0755. */
    public static final CreateOptions DEFAULT = new CreateOptions(0644, false, true, 0755, 0, 0, 0);

    /** Makes options that ask for one copy. */
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

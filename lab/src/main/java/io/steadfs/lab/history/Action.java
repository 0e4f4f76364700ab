package io.steadfs.lab.history;

/** An operation that a client asked for. Each path is absolute and normalized. */
public sealed interface Action {
    /** The path of the operation. For a rename, the path of the source. */
    String path();

    /** Whether the operation makes missing parent directories. */
    default boolean makesParents() {
        return false;
    }

    /**
     * @param fileId id by which a look recognizes the new file; 0 = no look can recognize the file
     * @param overwrite whether the create may replace a file
     */
    record Create(String path, long fileId, boolean overwrite, boolean makesParents) implements Action {
        @Override
        public String toString() {
            return (overwrite ? "creates or replaces " : "creates ")
                    + path
                    + (fileId == 0 ? "" : " as file " + Long.toHexString(fileId));
        }
    }

    /** @param exclusive whether an existing directory is an error */
    record MakeDirectory(String path, boolean exclusive, boolean makesParents) implements Action {
        @Override
        public String toString() {
            return "makes directory " + path;
        }
    }

    /** Deletes a file or directory. */
    record Delete(String path, boolean recursive) implements Action {
        @Override
        public String toString() {
            return (recursive ? "deletes recursively " : "deletes ") + path;
        }
    }

    /** @param overwrite whether a file may replace a file, and a directory may replace an empty directory */
    record Rename(String path, String target, boolean overwrite) implements Action {
        @Override
        public String toString() {
            return "renames " + path + " to " + target + (overwrite ? ", replacing it" : "");
        }
    }

    /** Asks what is at the path, for example by stat, open or read. */
    record Look(String path) implements Action {
        @Override
        public String toString() {
            return "looks at " + path;
        }
    }

    /**
     * Looks for a name in a listing of the directory. A listing leaves out an entry whose object disappears during the
     * listing. So a name may be missing if its file was replaced during the listing.
     */
    record Listed(String path) implements Action {
        @Override
        public String toString() {
            return "lists the directory of " + path;
        }
    }
}

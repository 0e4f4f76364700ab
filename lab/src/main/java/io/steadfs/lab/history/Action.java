package io.steadfs.lab.history;

/** A request of a client. Paths are absolute, and each name has only one spelling. */
public sealed interface Action {
    /** Returns the name that the action concerns; for a rename, the source. */
    String path();

    /** Returns whether the action creates missing directories above the name. */
    default boolean makesParents() {
        return false;
    }

    /**
     * Creates a file.
     *
     * @param fileId id that a reader of the new file sees; 0 = unknown
     * @param overwrite whether the action may replace a file
     */
    record Create(String path, long fileId, boolean overwrite, boolean makesParents) implements Action {
        @Override
        public String toString() {
            return (overwrite ? "creates or replaces " : "creates ")
                    + path
                    + (fileId == 0 ? "" : " as file " + Long.toHexString(fileId));
        }
    }

    /** @param exclusive whether the server refuses the action if the directory exists */
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

    /**
     * @param overwrite whether a file may replace a file, and a directory an empty directory; false = the target must
     *     be free
     */
    record Rename(String path, String target, boolean overwrite) implements Action {
        @Override
        public String toString() {
            return "renames " + path + " to " + target + (overwrite ? ", replacing it" : "");
        }
    }

    /** Asks what has the name: stat, open or read. */
    record Look(String path) implements Action {
        @Override
        public String toString() {
            return "looks at " + path;
        }
    }

    /**
     * Lists the directory of the name; the name is in the listing or missing. A listing leaves out an entry whose
     * object disappears during the listing. A name whose file is replaced at the same time may therefore be missing.
     */
    record Listed(String path) implements Action {
        @Override
        public String toString() {
            return "lists the directory of " + path;
        }
    }
}

package io.steadfs.lab.history;

/** What a client asked for. Paths are absolute and written in one way. */
public sealed interface Action {
    /** The name it is about; of a rename, the source. */
    String path();

    /** Whether it makes directories that are missing on the way. */
    default boolean makesParents() {
        return false;
    }

    /**
     * @param fileId what the new file will be seen as; 0 where nobody can tell
     * @param overwrite replaces a file
     */
    record Create(String path, long fileId, boolean overwrite, boolean makesParents) implements Action {
        @Override
        public String toString() {
            return (overwrite ? "creates or replaces " : "creates ")
                    + path
                    + (fileId == 0 ? "" : " as file " + Long.toHexString(fileId));
        }
    }

    /** @param exclusive refused where the directory is there */
    record MakeDirectory(String path, boolean exclusive, boolean makesParents) implements Action {
        @Override
        public String toString() {
            return "makes directory " + path;
        }
    }

    /** Of a file or directory. */
    record Delete(String path, boolean recursive) implements Action {
        @Override
        public String toString() {
            return (recursive ? "deletes recursively " : "deletes ") + path;
        }
    }

    /** @param overwrite replaces a file by a file, an empty directory by a directory; else refused */
    record Rename(String path, String target, boolean overwrite) implements Action {
        @Override
        public String toString() {
            return "renames " + path + " to " + target + (overwrite ? ", replacing it" : "");
        }
    }

    /** Asks for what is at the name: stat, open, read. */
    record Look(String path) implements Action {
        @Override
        public String toString() {
            return "looks at " + path;
        }
    }

    /**
     * Finds the name in a listing of its directory, or does not. An entry whose object goes while the listing is made is
     * left out, so that a name whose file was replaced at the same time may be missing.
     */
    record Listed(String path) implements Action {
        @Override
        public String toString() {
            return "lists the directory of " + path;
        }
    }
}

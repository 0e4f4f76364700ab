package io.steadfs.client;

/** Says what a rename does if the target exists. In every mode, a rename is one atomic request. */
public enum RenameMode {
    /** Refuse with ALREADY_EXISTS. */
    NO_REPLACE,
    /** A file may replace a file. A directory may replace an empty directory. */
    OVERWRITE,
    /**
     * If the target is a directory, move the source into the directory under the source's name. If the target is a
     * file, refuse with ALREADY_EXISTS.
     */
    INTO_DIRECTORY
}

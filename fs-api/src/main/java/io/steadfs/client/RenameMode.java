package io.steadfs.client;

/** Says what a rename does where the target exists. A rename is one atomic request in every mode. */
public enum RenameMode {
    /** Refuse with ALREADY_EXISTS. */
    NO_REPLACE,
    /** Replace a file by a file, an empty directory by a directory. */
    OVERWRITE,
    /** Where the target is a directory, move into it under the source's name; else refuse with ALREADY_EXISTS. */
    INTO_DIRECTORY
}

package io.steadfs.client;

/** What a rename does where the target exists. Each is one atomic request. */
public enum RenameMode {
    /** Refuse with ALREADY_EXISTS. */
    NO_REPLACE,
    /** Replace a file by a file, an empty directory by a directory. */
    OVERWRITE,
    /** Where the target is a directory, move into it under the source's name; else refuse with ALREADY_EXISTS. */
    INTO_DIRECTORY
}

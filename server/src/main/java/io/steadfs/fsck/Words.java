package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.FileType;

/** How findings name what they are about. */
final class Words {
    /** What is said of a row that cannot be read begins so. */
    static final String NAME = "name: ";

    static final String OBJECT = "object: ";
    static final String PARTITION = "partition: ";
    static final String INDEX = "index: ";

    private Words() {}

    static String name(CheckedEntry entry) {
        return "'" + entry.getName() + "' in directory " + new Handle(entry.getDirectory());
    }

    static String type(FileType type) {
        return switch (type) {
            case FILE -> "file";
            case DIRECTORY -> "directory";
            default -> "object of no type";
        };
    }
}

package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.FileType;

/** Words with which findings describe names and objects. */
final class Words {
    /** Prefixes of messages about rows that cannot be read. */
    static final String NAME = "name: ";

    static final String OBJECT = "object: ";
    static final String PARTITION = "partition: ";
    static final String MAP = "entry of a map: ";
    static final String INDEX = "index: ";

    private Words() {}

    static String name(CheckedEntry entry) {
        if (entry.hasPartition()) {
            return "partition " + entry.getPartition().getNumber() + " of directory "
                    + new Handle(entry.getDirectory());
        }
        return "'" + entry.getName() + "' in directory " + new Handle(entry.getDirectory());
    }

    static String type(FileType type) {
        return switch (type) {
            case FILE -> "file";
            case DIRECTORY -> "directory";
            case SYMLINK -> "symbolic link";
            default -> "object of no type";
        };
    }
}

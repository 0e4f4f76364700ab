package io.steadfs.micro;

import io.steadfs.mds.metafile.proto.MetafileRow;

/** Rows as files of usual jobs have them. */
final class Rows {
    private static final long MILLIS = 1_790_000_000_000L;

    private Rows() {}

    static MetafileRow metafile() {
        return MetafileRow.newBuilder()
                .setMode(0644)
                .setOwner("spark")
                .setGroup("supergroup")
                .setLength(4096)
                .setModificationTime(MILLIS)
                .setAccessTime(MILLIS)
                .setBlockSize(128 << 20)
                .setVersion(2)
                .setWriteGeneration(1)
                .build();
    }
}

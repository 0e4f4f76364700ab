package io.steadfs.client.list;

import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import java.util.Optional;

/**
 * Attributes of a file or directory as a shard answered them.
 *
 * @param mode POSIX permission bits with sticky, 01777 at most
 * @param length bytes; of an open file at least the bytes that an answered hflush or hsync made visible; 0 for directories
 * @param recordedLength bytes that are on stable storage; less than the length only while the file is open
 * @param modificationTime milliseconds since 1970
 * @param accessTime milliseconds since 1970
 * @param blockSize bytes; a hint for scheduling
 * @param replication of a file: copies that were asked for, one at least; how many there are is in the layout
 * @param open a session is writing the file, or it awaits recovery
 * @param version rises with every change of the attributes
 * @param layout of a file, where it was asked for
 */
public record FileInfo(
        Handle handle,
        boolean directory,
        int mode,
        String owner,
        String group,
        long length,
        long recordedLength,
        long modificationTime,
        long accessTime,
        long blockSize,
        int replication,
        boolean open,
        long writeGeneration,
        long version,
        Optional<Layout> layout) {}

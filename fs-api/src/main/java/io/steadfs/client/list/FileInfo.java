package io.steadfs.client.list;

import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import java.util.Optional;

/**
 * The attributes of a file, directory or symbolic link, from a shard's answer.
 *
 * @param mode POSIX permission bits with the sticky bit, at most 01777
 * @param length bytes; 0 for directories; for an open file, includes all bytes that an answered hflush or hsync made
 *     visible
 * @param recordedLength bytes that are on stable storage; smaller than the length only while the file is open
 * @param modificationTime milliseconds since 1970
 * @param accessTime milliseconds since 1970
 * @param blockSize bytes of a block; programs use the block size only to split work
 * @param replication number of copies that the creator asked for, at least 1; the layout says how many copies exist
 * @param open whether a session is writing the file or the file awaits recovery
 * @param version number that rises with every change of the attributes
 * @param layout layout of a file; empty if the request did not ask for layouts
 * @param linkTarget target of a symbolic link, as its maker wrote it; empty for a file or directory
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
        Optional<Layout> layout,
        Optional<String> linkTarget) {}

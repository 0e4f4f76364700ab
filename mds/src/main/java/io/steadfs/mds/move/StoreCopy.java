package io.steadfs.mds.move;

import io.steadfs.disk.DiskFailure;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.disk.NoSpaceException;
import io.steadfs.disk.OwnerOnly;
import io.steadfs.disk.Space;
import io.steadfs.wire.proto.ListStoreFilesReply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Copies the store of another server into a directory of this one, in passes. Each pass takes what is new since the pass
 * before. If a pass fails, a later pass goes on with the files that are whole. Only one thread uses an object of this class.
 */
public final class StoreCopy {
    /** No disk has room for a larger store. */
    private static final long MOST_BYTES = 1L << 60;

    private final RemoteStore remote;
    private final Path directory;
    private final Space space;
    private final String server;

    /** The files that are here, whole and durable, by name. */
    private final Map<String, StoreFiles.Listed> here = new HashMap<>();

    private long copiedBytes;

    /**
     * @param directory an empty directory
     * @param server the name of this server, for messages
     */
    public StoreCopy(RemoteStore remote, Path directory, Space space, String server) {
        this.remote = remote;
        this.directory = directory;
        this.space = space;
        this.server = server;
    }

    /** The number of bytes that were copied so far. */
    public long copiedBytes() {
        return copiedBytes;
    }

    /**
     * Makes the directory equal to the list. All files are durable then, and so are their names.
     *
     * @param last whether the store was closed for the list
     * @return the number of bytes that were copied
     * @throws NoSpaceException if the disk has no room for the files beside its reserve; then nothing was copied
     * @throws IOException if a file cannot be read or written
     * @throws IllegalArgumentException if the list cannot be one of a store; the message says why
     */
    public long pass(ListStoreFilesReply list, boolean last) throws IOException, InterruptedException {
        List<StoreFiles.Listed> files = files(list);
        List<StoreFiles.Listed> missing = new ArrayList<>();
        for (StoreFiles.Listed file : files) {
            if (!file.isImmutable() || !file.equals(here.get(file.name()))) {
                missing.add(file);
            }
        }
        removeOthers(files);
        long bytes = 0;
        for (StoreFiles.Listed file : missing) {
            bytes = Math.min(MOST_BYTES, bytes + file.length());
        }
        needRoomFor(bytes);
        long before = copiedBytes;
        for (StoreFiles.Listed file : missing) {
            needRoomFor(file.length());
            here.remove(file.name());
            copy(file, last);
            here.put(file.name(), file);
        }
        DurableDirectories.sync(directory);
        return copiedBytes - before;
    }

    private static List<StoreFiles.Listed> files(ListStoreFilesReply list) {
        List<StoreFiles.Listed> files = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ListStoreFilesReply.File each : list.getFilesList()) {
            files.add(new StoreFiles.Listed(each.getName(), each.getLength(), each.getModifiedNanos()));
            if (!names.add(each.getName())) {
                throw new IllegalArgumentException("file " + each.getName() + " is listed twice");
            }
        }
        if (!names.contains(StoreFiles.CURRENT)) {
            throw new IllegalArgumentException(
                    "the list of " + files.size() + " files is of no whole store: it has no " + StoreFiles.CURRENT);
        }
        return files;
    }

    private void removeOthers(List<StoreFiles.Listed> files) throws IOException {
        Set<String> names = new HashSet<>();
        files.forEach(file -> names.add(file.name()));
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path each : all) {
                String name = each.getFileName().toString();
                if (!names.contains(name)) {
                    here.remove(name);
                    Files.delete(each);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void needRoomFor(long bytes) throws NoSpaceException {
        if (!space.hasRoomFor(bytes)) {
            throw new NoSpaceException(space.refusal(server, bytes));
        }
    }

    private void copy(StoreFiles.Listed file, boolean last) throws IOException, InterruptedException {
        Path path = directory.resolve(file.name());
        Files.deleteIfExists(path);
        try (FileChannel channel = FileChannel.open(
                path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnerOnly.file())) {
            remote.read(file, last, part -> write(channel, part, path));
            force(channel, path);
        }
    }

    private void write(FileChannel channel, ByteBuffer part, Path path) throws IOException {
        copiedBytes += part.remaining();
        try {
            while (part.hasRemaining()) {
                channel.write(part);
            }
        } catch (IOException e) {
            throw DiskFailure.of(e, path);
        }
    }

    private static void force(FileChannel channel, Path path) throws IOException {
        try {
            channel.force(true);
        } catch (IOException e) {
            throw DiskFailure.of(e, path);
        }
    }
}

package io.steadfs.lab.bench.figure.listing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** A directory of files that is listed, and how long that took. One thread uses it. */
final class ListedDirectory {
    private final FileSystem fileSystem;
    private final Path path;
    private final int entries;
    private final int partitions;
    private final List<Double> firstMillis = new ArrayList<>();
    private final List<Double> lastMillis = new ArrayList<>();

    ListedDirectory(FileSystem fileSystem, Path path, int entries, int partitions) {
        this.fileSystem = fileSystem;
        this.path = path;
        this.entries = entries;
        this.partitions = partitions;
    }

    int entries() {
        return entries;
    }

    /**
     * Lists the directory once, with attributes.
     *
     * @throws IOException if the listing fails, or does not have as many files as were made
     */
    void list() throws IOException {
        long begun = System.nanoTime();
        long first = begun;
        int files = 0;
        RemoteIterator<FileStatus> listing = fileSystem.listStatusIterator(path);
        while (listing.hasNext()) {
            FileStatus entry = listing.next();
            if (first == begun) {
                first = System.nanoTime();
            }
            // Programs that list a directory use the paths of its files. A path is only built when it is asked for.
            if (entry.isFile() && entry.getPath().toUri().isAbsolute()) {
                files++;
            }
        }
        long last = System.nanoTime();
        if (files != entries) {
            throw new IOException(path + " has " + entries + " files, and its listing has " + files);
        }
        firstMillis.add((first - begun) / 1e6);
        lastMillis.add((last - begun) / 1e6);
    }

    /** Forgets how long it took until now. */
    void forget() {
        firstMillis.clear();
        lastMillis.clear();
    }

    Listing measured(int shards) {
        return new Listing(shards, entries, partitions, firstMillis, lastMillis);
    }
}

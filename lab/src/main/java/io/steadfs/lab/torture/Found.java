package io.steadfs.lab.torture;

import io.steadfs.client.SteadFs;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.FileReader;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Everything that the file system contains after a run. Each file is read to its end.
 *
 * <p>Reading the file system is a check of its own. The listing, the tree listing and stat must agree. Every file must
 * be readable. Nothing may have two names.
 */
final class Found {
    /**
     * After this many unreadable files, no further file is read. Each unreadable file takes as long as an operation may
     * take.
     */
    private static final int MOST_UNREADABLE = 20;

    /** @param reading what reading the file gave; empty for a directory and for a file that was not read */
    record Thing(String path, FileInfo info, Optional<Reading> reading) {}

    private final TreeMap<String, Thing> things = new TreeMap<>();
    private final Map<Handle, String> paths = new HashMap<>();
    private final Map<Long, String> files = new HashMap<>();
    private final List<String> differences = new ArrayList<>();
    private long bytes;
    private int unreadable;

    /** Makes the contents from things that were found in some other way. */
    static Found of(List<Thing> all) {
        Found found = new Found();
        all.forEach(found::add);
        return found;
    }

    static Found in(SteadFs fs) throws IOException {
        Found found = new Found();
        found.directory(fs, "", FsPath.ROOT);
        found.compareTree(fs);
        return found;
    }

    private void directory(SteadFs fs, String prefix, FsPath path) throws IOException {
        for (Entry entry : fs.listSorted(path)) {
            String name = prefix + "/" + entry.name();
            FsPath child = path.child(entry.name());
            String other = paths.put(entry.info().handle(), name);
            if (other != null) {
                differences.add(entry.info().handle() + " is at " + other + " and at " + name);
                continue;
            }
            if (entry.info().directory()) {
                things.put(name, new Thing(name, entry.info(), Optional.empty()));
                directory(fs, name, child);
            } else {
                file(fs, name, child, entry.info());
            }
        }
    }

    private void file(SteadFs fs, String name, FsPath path, FileInfo listed) {
        FileInfo info = listed;
        Optional<Reading> reading = Optional.empty();
        if (unreadable >= MOST_UNREADABLE) {
            add(new Thing(name, info, reading));
            return;
        }
        try {
            info = fs.stat(path);
            if (!info.handle().equals(listed.handle())
                    || (!info.open() && !listed.open() && info.length() != listed.length())) {
                differences.add(name + ": listing says " + listed + ", stat says " + info);
            }
            try (FileReader reader = fs.open(path)) {
                reading = Optional.of(Reading.whole(reader, 0));
            }
        } catch (FsException e) {
            unreadable++;
            differences.add(name + " is listed but cannot be read: " + e.getMessage()
                    + (unreadable < MOST_UNREADABLE ? "" : "; the rest is not read"));
        }
        add(new Thing(name, info, reading));
    }

    private void add(Thing thing) {
        things.put(thing.path(), thing);
        thing.reading().ifPresent(read -> {
            bytes += read.length();
            if (read.firstWrong() >= 0) {
                differences.add(thing.path() + ": of " + read.length() + " bytes that at offset " + read.firstWrong()
                        + " is not of file " + Long.toHexString(read.fileId()));
            } else if (read.fileId() != 0) {
                String other = files.put(read.fileId(), thing.path());
                if (other != null) {
                    differences.add(
                            "file " + Long.toHexString(read.fileId()) + " is at " + other + " and at " + thing.path());
                }
            }
        });
    }

    private void compareTree(SteadFs fs) throws FsException {
        TreeSet<String> tree = new TreeSet<>();
        Iterator<Entry> entries = fs.listTree(FsPath.ROOT, true);
        while (entries.hasNext()) {
            String path = "/" + entries.next().name();
            if (!tree.add(path)) {
                differences.add("the tree listing has " + path + " twice");
            }
        }
        TreeSet<String> only = new TreeSet<>(tree);
        only.removeAll(things.keySet());
        only.forEach(path -> differences.add(path + " is in the tree listing and not in its directory's"));
        TreeSet<String> missing = new TreeSet<>(things.keySet());
        missing.removeAll(tree);
        missing.forEach(path -> differences.add(path + " is not in the tree listing, but in its directory's"));
    }

    /** Returns everything that was found, by path. */
    SortedMap<String, Thing> things() {
        return things;
    }

    /** Returns the paths of files. The key is the file id that the file's own bytes tell. */
    Map<Long, String> files() {
        return files;
    }

    /** Returns the paths of the entries of a directory. */
    List<String> below(String directory) {
        String prefix = directory + "/";
        return things.subMap(prefix, prefix + Character.MAX_VALUE).keySet().stream()
                .filter(path -> path.indexOf('/', prefix.length()) < 0)
                .toList();
    }

    /** Returns the paths of files that the file system still regards as being written. */
    List<String> open() {
        return things.values().stream()
                .filter(thing -> thing.info().open())
                .map(Thing::path)
                .toList();
    }

    long bytes() {
        return bytes;
    }

    List<String> differences() {
        return differences;
    }
}

package io.steadfs.mds.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.deletion.QueuedDatafile;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads a whole state and checks what must hold in it: every dirent leads to an object of its type, every object is
 * reached once, from the root or from a tree to be reclaimed, entry counts are what a recount says, and the indexes of
 * writers agree with the metafiles.
 */
public final class StateCheck {
    private final ReadView view;
    private final SortedMap<String, Handle> paths = new TreeMap<>();
    private final Map<Handle, MetafileRow> files = new HashMap<>();
    private final Set<Handle> reached = new HashSet<>();
    /** Number of symbolic links, which have no row. */
    private int links;

    private final SortedSet<Handle> unlinked = new TreeSet<>();

    private StateCheck(ReadView view) {
        this.view = view;
    }

    public static StateCheck of(ReadView view) {
        StateCheck check = new StateCheck(view);
        check.run();
        return check;
    }

    /** All paths below the root, directories with a slash behind. */
    public SortedSet<String> paths() {
        return new TreeSet<>(paths.keySet());
    }

    public Handle handle(String path) {
        return Optional.ofNullable(paths.get(path)).orElseThrow(() -> new AssertionError("nothing at " + path));
    }

    /** The file at a path. */
    public MetafileRow file(String path) {
        return Optional.ofNullable(files.get(handle(path))).orElseThrow(() -> new AssertionError("no file at " + path));
    }

    /** Metafiles that were made without a name and have none. */
    public SortedSet<Handle> unlinked() {
        return unlinked;
    }

    /** Datafiles that metafiles list or the deletion queue holds. */
    public SortedSet<Handle> datafiles() {
        SortedSet<Handle> all = new TreeSet<>();
        for (MetafileRow row : files.values()) {
            for (long datafile : row.getLayout().getDatafilesList()) {
                if (datafile != 0) {
                    assertThat(all.add(new Handle(datafile)))
                            .as("datafile %s is listed once", new Handle(datafile))
                            .isTrue();
                }
            }
        }
        for (int server : DeletionQueue.servers(view)) {
            DeletionQueue.datafiles(view, server, QueuedDatafile.NONE, Integer.MAX_VALUE)
                    .forEach(queued -> all.add(queued.datafile()));
        }
        return all;
    }

    private void run() {
        walk(Handle.ROOT, "/");
        for (Handle tree : DeletionQueue.trees(view, Handle.NONE, Integer.MAX_VALUE)) {
            walk(tree, "");
        }
        checkUnlinked();
        int inodes = 0;
        try (ReadView.Cursor cursor = view.scan(ShardTables.INODE, new byte[0], Keys.of(-1L))) {
            while (cursor.next()) {
                inodes++;
                Handle handle = new Handle(Keys.longAt(cursor.key(), 0));
                assertThat(reached).as("objects reached").contains(handle);
            }
        }
        assertThat(inodes + links).isEqualTo(reached.size());
        checkWriters();
        CountsCheck.of(view);
    }

    /** Metafiles without a name are those that the index has. */
    private void checkUnlinked() {
        Optional<UnlinkedFiles.Group> next = UnlinkedFiles.from(view, 0, Integer.MAX_VALUE);
        while (next.isPresent()) {
            UnlinkedFiles.Group group = next.get();
            for (Handle file : group.files()) {
                MetafileRow row = Metafiles.find(view, file).orElseThrow();
                assertThat(row.getUnlinkedSession()).as("maker of %s", file).isEqualTo(group.session());
                assertThat(reached.add(file)).as("%s has no name", file).isTrue();
                files.put(file, row);
                unlinked.add(file);
            }
            next = UnlinkedFiles.from(view, group.session() + 1, Integer.MAX_VALUE);
        }
        files.forEach((handle, row) -> assertThat(row.getUnlinkedSession() != 0)
                .as("%s is unlinked", handle)
                .isEqualTo(unlinked.contains(handle)));
    }

    private void walk(Handle top, String topPath) {
        Deque<Map.Entry<Handle, String>> left = new ArrayDeque<>();
        left.add(Map.entry(top, topPath));
        while (!left.isEmpty()) {
            Map.Entry<Handle, String> next = left.remove();
            Handle directory = next.getKey();
            assertThat(reached.add(directory)).as("%s reached once", directory).isTrue();
            assertThat(Directories.find(view, directory))
                    .as("directory %s", directory)
                    .isPresent();
            long entries = 0;
            try (DirentScan scan = Dirents.scan(view, directory)) {
                while (scan.next()) {
                    entries++;
                    Handle handle = new Handle(scan.row().getHandle());
                    boolean isDirectory = scan.row().getType() == EntryType.ENTRY_DIRECTORY;
                    String path = next.getValue() + scan.name() + (isDirectory ? "/" : "");
                    if (!next.getValue().isEmpty()) {
                        paths.put(path, handle);
                    }
                    if (isDirectory) {
                        left.add(Map.entry(handle, next.getValue().isEmpty() ? "" : path));
                    } else {
                        assertThat(reached.add(handle))
                                .as("%s reached once", path)
                                .isTrue();
                        if (scan.row().hasSymlink()) {
                            links++;
                        } else {
                            files.put(handle, Metafiles.find(view, handle).orElseThrow());
                        }
                    }
                }
            }
            checkEntries(directory, entries, next.getValue());
        }
    }

    /** Of a directory in the namespace; one that is being reclaimed counts no more. */
    private void checkEntries(Handle directory, long entries, String path) {
        long counted =
                DirectoryCounts.find(view, directory).map(CountsRow::getEntries).orElse(0L);
        if (!path.isEmpty()) {
            assertThat(counted).as("entries of %s", path).isEqualTo(entries);
        }
    }

    private void checkWriters() {
        Set<String> indexed = new HashSet<>();
        for (Session session : Sessions.after(view, 0, Integer.MAX_VALUE)) {
            List<Handle> written = OpenFiles.of(view, session.id(), Integer.MAX_VALUE);
            written.forEach(file -> indexed.add(session.id() + " writes " + file));
        }
        Set<String> actual = new HashSet<>();
        Set<Handle> recovering = new HashSet<>();
        files.forEach((handle, row) -> {
            if (row.getWriterSession() != 0) {
                actual.add(row.getWriterSession() + " writes " + handle);
            }
            assertThat(row.getFlushedLength() == 0
                            || (Metafiles.isOpen(row) && row.getFlushedLength() > row.getLength()))
                    .as("flushed length %s of %s, recorded %s", row.getFlushedLength(), handle, row.getLength())
                    .isTrue();
            if (row.getRecovering()) {
                recovering.add(handle);
                assertThat(row.getWriterSession()).isZero();
            }
        });
        assertThat(indexed).isEqualTo(actual);
        assertThat(RecoveringFiles.after(view, Handle.NONE, Integer.MAX_VALUE)).containsAll(recovering);
    }
}

package io.steadfs.mds.salvage;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.MetDirent;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.store.rocks.SalvageReport;
import io.steadfs.store.rocks.SalvageReport.Lost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * Describes the objects whose rows a salvage lost. The description gives the path of an object if the saved rows lead
 * to its path. This class reads only the rows of this shard. If the name of a directory above the object is lost or on
 * another shard, the path begins with that directory's handle.
 */
final class LostPlaces {
    /** The highest number of paths that the description of one range contains. */
    private static final int MOST = 8;
    /**
     * The highest number of ranges for which names are searched. Each range costs one read of all metafiles and one
     * more comparison for each name.
     */
    private static final int MOST_RANGES = 100;
    /** The highest number of metafiles whose names are searched for one range. */
    private static final int MOST_LISTED = 100_000;

    private static final String UNKNOWN = "path unknown until fsck";
    private static final List<Table> BY_OBJECT = List.of(ShardTables.INODE, ShardTables.XATTR, ShardTables.PARTITION);
    private static final byte[] BEFORE_ALL = new byte[0];
    private static final byte[] BEHIND_ALL = {-1, -1, -1, -1, -1, -1, -1, -1, -1};

    private final ReadView rows;

    private LostPlaces(ReadView rows) {
        this.rows = rows;
    }

    /**
     * A lost range whose rows belong to objects, with the paths that were found for the objects.
     *
     * @param kind plural name of the objects, for example "datafiles"
     * @param has says whether the object with the handle belongs to the range
     */
    private record Objects(Lost lost, String kind, LongPredicate has, List<String> paths) {
        String text() {
            String handles = kind + " with handles from " + new Handle(lost.firstNumber()) + " to "
                    + new Handle(lost.lastNumber());
            if (paths.isEmpty()) {
                return handles + ", " + UNKNOWN;
            }
            return handles + ", among them " + some(paths) + "; of others the path is unknown until fsck";
        }
    }

    static void tell(ReadView rows, SalvageReport report) {
        new LostPlaces(rows).tell(report);
    }

    private void tell(SalvageReport report) {
        List<Objects> objects = new ArrayList<>();
        for (Lost each : report.lost()) {
            if (each.table().equals(ShardTables.DIRENT.name())) {
                report.tellPlace(each, names(each));
            } else if (BY_OBJECT.stream().anyMatch(table -> table.name().equals(each.table()))) {
                LongPredicate has = objects.size() < MOST_RANGES ? handle -> isIn(each, handle) : handle -> false;
                objects.add(new Objects(each, "objects", has, new ArrayList<>()));
            } else if (each.table().equals(ShardTables.DATAFILE.name())) {
                Set<Long> metafiles = objects.size() < MOST_RANGES ? listing(each) : Set.of();
                objects.add(new Objects(each, "datafiles", metafiles::contains, new ArrayList<>()));
            }
        }
        if (!objects.isEmpty()) {
            findNames(objects);
        }
        objects.forEach(each -> report.tellPlace(each.lost(), each.text()));
    }

    private static boolean isIn(Lost lost, long handle) {
        return Long.compareUnsigned(lost.firstNumber(), handle) <= 0
                && Long.compareUnsigned(handle, lost.lastNumber()) <= 0;
    }

    /** Metafiles of this shard that list a datafile of the range. */
    private Set<Long> listing(Lost lost) {
        Set<Long> found = new HashSet<>();
        try (ReadView.Cursor cursor = rows.scan(ShardTables.INODE, BEFORE_ALL, BEHIND_ALL)) {
            while (found.size() < MOST_LISTED && cursor.next()) {
                long handle = Keys.longAt(cursor.key(), 0);
                boolean lists = readable(() -> Metafiles.find(rows, new Handle(handle)))
                        .map(row -> row.getLayout().getDatafilesList().stream().anyMatch(each -> isIn(lost, each)))
                        .orElse(false);
                if (lists) {
                    found.add(handle);
                }
            }
        }
        return found;
    }

    /** Reads all names of the shard once, and adds each path to the ranges to which its object belongs. */
    private void findNames(List<Objects> objects) {
        try (ReadView.Cursor cursor = rows.scan(ShardTables.DIRENT, BEFORE_ALL, BEHIND_ALL)) {
            while (cursor.next()) {
                MetDirent name = MetDirent.of(cursor.key(), cursor.value());
                for (Objects each : objects) {
                    if (each.paths().size() <= MOST
                            && name.row().isPresent()
                            && each.has().test(name.row().get().getHandle())) {
                        each.paths().add(below(path(name.directory()), name.name()));
                    }
                }
            }
        }
    }

    /**
     * Describes a lost range of the table of names. If the range is in one directory, the description gives the names
     * before and behind the range. If the range covers several directories, the description gives the directories.
     */
    private String names(Lost lost) {
        List<Handle> directories = directories(lost);
        if (lost.firstNumber() != lost.lastNumber()) {
            return directories.isEmpty()
                    ? "names of directories with handles from " + new Handle(lost.firstNumber()) + " to "
                            + new Handle(lost.lastNumber()) + ", " + UNKNOWN
                    : "names of " + some(directories.stream().map(this::path).toList());
        }
        Handle directory = new Handle(lost.firstNumber());
        String before = nameBefore(lost).map(name -> "'" + name + "'").orElse("its first name");
        String behind =
                nameBehind(lost, directory).map(name -> "'" + name + "'").orElse("its last name");
        return "names of " + path(directory) + " between " + before + " and " + behind
                + " in the order of their hashes";
    }

    /**
     * Directories of this shard that may have lost names. If the range ends at the first key of a directory, that
     * directory is included although it lost no name.
     */
    private List<Handle> directories(Lost lost) {
        List<Handle> found = new ArrayList<>();
        byte[] behind = Keys.after(Keys.of(lost.lastNumber()));
        try (ReadView.Cursor cursor = rows.scan(ShardTables.INODE, Keys.of(lost.firstNumber()), behind)) {
            while (found.size() <= MOST && cursor.next()) {
                Handle handle = new Handle(Keys.longAt(cursor.key(), 0));
                if (readable(() -> Directories.find(rows, handle)).isPresent()) {
                    found.add(handle);
                }
            }
        }
        return found;
    }

    /** The last name that could be read before the range; empty if the directory has no such name. */
    private Optional<String> nameBefore(Lost lost) {
        byte[] from = lost.from();
        if (from.length <= 2 * Long.BYTES + 1 || from[from.length - 1] != 0) {
            return Optional.empty();
        }
        byte[] key = Arrays.copyOf(from, from.length - 1);
        return rows.get(ShardTables.DIRENT, key)
                .map(value -> MetDirent.of(key, value).name());
    }

    private Optional<String> nameBehind(Lost lost, Handle directory) {
        byte[] end = Keys.endOf(Keys.of(directory.value()));
        if (Arrays.compareUnsigned(lost.to(), end) >= 0) {
            return Optional.empty();
        }
        try (ReadView.Cursor cursor = rows.scan(ShardTables.DIRENT, lost.to(), end)) {
            return cursor.next()
                    ? Optional.of(MetDirent.of(cursor.key(), cursor.value()).name())
                    : Optional.empty();
        }
    }

    /**
     * The path of a directory. If a directory's parent or name is not found on the way up to the root, the path begins
     * with that directory's handle.
     */
    private String path(Handle directory) {
        String below = "";
        Handle at = directory;
        Set<Handle> met = new HashSet<>();
        while (!at.equals(Handle.ROOT)) {
            Handle here = at;
            Optional<Handle> parent = readable(() -> Directories.find(rows, here))
                    .map(DirectoryRow::getParent)
                    .map(Handle::new);
            Optional<String> name = met.add(here) ? parent.flatMap(above -> nameOf(here, above)) : Optional.empty();
            if (parent.isEmpty() || name.isEmpty()) {
                return "directory " + here + (below.isEmpty() ? "" : ", there " + below.substring(1)) + " (" + UNKNOWN
                        + ")";
            }
            below = "/" + name.get() + below;
            at = parent.get();
        }
        return below.isEmpty() ? "/" : below;
    }

    private static String below(String directory, String name) {
        return directory.endsWith(")")
                ? "'" + name + "' of " + directory
                : directory + (directory.equals("/") ? "" : "/") + name;
    }

    private Optional<String> nameOf(Handle directory, Handle parent) {
        try (DirentScan names = Dirents.scan(rows, parent)) {
            while (names.next()) {
                if (readable(() -> Optional.of(names.row()))
                        .filter(row -> row.getHandle() == directory.value())
                        .isPresent()) {
                    return Optional.of(names.name());
                }
            }
        }
        return Optional.empty();
    }

    private interface Look<T> {
        Optional<T> look();
    }

    /** Reads a row. A row that cannot be decoded counts as empty. A check of the file system will report such a row. */
    private static <T> Optional<T> readable(Look<T> look) {
        try {
            return look.look();
        } catch (IllegalStateException e) {
            return Optional.empty();
        }
    }

    private static String some(List<String> paths) {
        return paths.stream().limit(MOST).collect(Collectors.joining(", ")) + (paths.size() > MOST ? " and more" : "");
    }
}

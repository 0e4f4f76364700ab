package io.steadfs.mds.deletion;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Two queues of this shard:
 *
 * <ul>
 *   <li>Datafiles that are to be removed. A datafile stays in the queue until its IO server acknowledges the removal.
 *   <li>Directories that were cut off from the namespace. A directory stays in the queue until its contents are
 *       reclaimed.
 * </ul>
 *
 * The batch that unlinks an object also queues the object. The row of a queued object is removed after the work is
 * done. So a crash during the work only repeats harmless work.
 */
public final class DeletionQueue {
    private static final byte DATAFILE = 0x01;
    private static final byte TREE = 0x02;

    private DeletionQueue() {}

    /**
     * IO servers that still have datafiles to remove, in rising order of their ids. The call costs one seek in the
     * store for each server.
     */
    public static List<Integer> servers(ReadView view) {
        List<Integer> servers = new ArrayList<>();
        int from = 0;
        while (from < Handle.FIRST_SHARD_OWNER) {
            List<Handle> next = range(view, DATAFILE, owner(from), owner(Handle.FIRST_SHARD_OWNER), 1);
            if (next.isEmpty()) {
                break;
            }
            int server = next.get(0).owner();
            servers.add(server);
            from = server + 1;
        }
        return servers;
    }

    /** Number of datafiles to remove at all IO servers, counted up to a limit. */
    public static int count(ReadView view, int limit) {
        return range(view, DATAFILE, owner(0), owner(Handle.FIRST_SHARD_OWNER), limit)
                .size();
    }

    /** Number of datafiles to remove at one IO server, counted up to a limit. */
    public static int count(ReadView view, int server, int limit) {
        return range(view, DATAFILE, owner(server), owner(server + 1), limit).size();
    }

    /**
     * Datafiles to remove at one IO server, in key order, but at most {@code limit}.
     *
     * @param previous the datafile behind which the result begins; {@link QueuedDatafile#NONE} = from the start
     */
    public static List<QueuedDatafile> datafiles(ReadView view, int server, QueuedDatafile previous, int limit) {
        byte[] from = previous.equals(QueuedDatafile.NONE) ? owner(server) : Keys.after(datafileKey(previous));
        List<QueuedDatafile> datafiles = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(ShardTables.DELETION, from, owner(server + 1))) {
            while (datafiles.size() < limit && cursor.next()) {
                datafiles.add(queued(cursor.key()));
            }
        }
        return datafiles;
    }

    /** The datafile of a row of the table. Empty if the row is of a tree or has another shape. */
    public static Optional<QueuedDatafile> met(byte[] key) {
        boolean isDatafile = key.length == 1 + 2 * Long.BYTES && key[0] == DATAFILE;
        return isDatafile ? Optional.of(queued(key)) : Optional.empty();
    }

    private static QueuedDatafile queued(byte[] key) {
        return new QueuedDatafile(new Handle(Keys.longAt(key, 1)), new Handle(Keys.longAt(key, 1 + Long.BYTES)));
    }

    /** Whether the datafile is queued for removal, for any metafile. */
    public static boolean hasDatafile(ReadView view, Handle datafile) {
        byte[] from = Keys.of(DATAFILE, datafile.value());
        return !range(view, DATAFILE, from, Keys.endOf(from), 1).isEmpty();
    }

    /**
     * Directories whose trees are queued to be reclaimed, in handle order, but at most {@code limit}.
     *
     * @param previous the directory behind which the result begins; {@link Handle#NONE} = from the start
     */
    public static List<Handle> trees(ReadView view, Handle previous, int limit) {
        return range(view, TREE, Keys.after(treeKey(previous)), Keys.endOf(Keys.of(TREE)), limit);
    }

    /** Whether the directory is the root of a tree that is queued to be reclaimed. */
    public static boolean hasTree(ReadView view, Handle directory) {
        return view.get(ShardTables.DELETION, treeKey(directory)).isPresent();
    }

    /** Whether the directory is gone for users while it is cleared. The root stays, also if all below it is cleared. */
    public static boolean isCutOff(ReadView view, Handle directory) {
        return !directory.equals(Handle.ROOT) && hasTree(view, directory);
    }

    /**
     * Adds a row to the sources of a derived value. The row says whether the directory is the root of a queued tree.
     */
    public static void addTreeTo(Sources sources, Handle directory) {
        sources.add(ShardTables.DELETION, treeKey(directory));
    }

    private static List<Handle> range(ReadView view, byte tag, byte[] from, byte[] to, int limit) {
        List<Handle> handles = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(ShardTables.DELETION, from, to)) {
            while (handles.size() < limit && cursor.next()) {
                byte[] key = cursor.key();
                if (key[0] != tag) {
                    throw new IllegalStateException("scan of deletion rows " + tag + " met a row " + key[0]);
                }
                handles.add(new Handle(Keys.longAt(key, 1)));
            }
        }
        return handles;
    }

    private static byte[] owner(int server) {
        return Keys.of(DATAFILE, (long) server << 48);
    }

    static byte[] datafileKey(QueuedDatafile queued) {
        return Keys.of(DATAFILE, queued.datafile().value(), queued.metafile().value());
    }

    static byte[] treeKey(Handle directory) {
        return Keys.of(TREE, directory.value());
    }
}

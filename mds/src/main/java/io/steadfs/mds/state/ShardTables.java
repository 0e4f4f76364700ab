package io.steadfs.mds.state;

import io.steadfs.store.Table;
import java.util.List;

/**
 * All tables (RocksDB column families) of one metadata shard and all key shapes in them. Numbers are unsigned and
 * big-endian, so rows that belong together form one range. In the drawing, the number behind each part is the part's
 * length in bytes. A part in quotes is a constant byte or text. Values are protobuf messages of package {@code
 * steadfs.disk} unless said otherwise.
 *
 * <pre>
 *  table      key                                              value
 *  ---------  -----------------------------------------------  ------------------------------------------------
 *  dirent     directory handle 8, name hash 8, name (UTF-8)    DirentRow: what the name leads to
 *  inode      handle 8                                         type 1, MetafileRow or DirectoryRow
 *  xattr      handle 8, name (UTF-8)                           the value's bytes
 *  partition  directory handle 8, 0 4                          CountsRow: entries, changes, time
 *  map        directory handle 8, partition 4                  MapRow: which directory has the names of a partition
 *  giving     directory handle 8                               GivingRow: it gives names to another shard
 *  session    0x01, session 8                                  SessionRow: who, floor of the recorded replies
 *             0x02, session 8, request id 8,                   RecordedReply, of one leg of the request
 *               start 8, start of a rename's source 8
 *             0x03, session 8, metafile 8                      empty: the session writes this metafile
 *             0x04, metafile 8                                 empty: the metafile awaits recovery
 *             0x05, session 8, metafile 8                      empty: the session made this metafile, which has no name
 *             0x06, session 8                                  counts of its rows 0x03 and 0x05, 8 each
 *  datafile   datafile 8                                       metafile 8, index 4: the metafile lists the datafile
 *  fence      last handle 8                                    first handle 8: no file gets a datafile of these any more
 *  pool       IO server 8                                      leases of handles for files that are delegated to this shard
 *  deletion   0x01, datafile 8, metafile 8                     empty: the metafile listed the datafile, which is to be
 *                                                              removed at the IO server in its handle
 *             0x02, directory 8                                empty: root of a tree to be reclaimed
 *  intent     0x01, intent 8                                   IntentRow: an operation over several shards that this
 *                                                              one drives
 *             0x02, session 8, request id 8                    intent 8: serves that request, undecided
 *             0x03, coordinator 8, intent 8, slot 8            PreparedRow: held for another shard's intent
 *             0x04, coordinator 8, intent 8                    empty: finished here, a late prepare is refused
 *             0x05, coordinator 8                              floor 8: intents below it are closed
 *             0x06                                             LockRow: who moves a directory, of an earlier release
 *             0x07                                             number 8 of the next intent
 *             0x08, coordinator 8                              count 8 of its rows 0x03
 *             0x09, coordinator 8, intent 8, slot 8            empty: its move of a directory is admitted (shard 0)
 *  outbox     shard 2, kind 1, handle 8                        that shard is to be told what became of its object
 *                                                              here; of a file that got a name, the group, else empty
 *  meta       text, or text and a number                       one fact about the shard: next sequence, disk format
 * </pre>
 *
 * A handle begins with its owner. So the datafiles that are queued for one IO server are one range of {@code deletion}.
 */
public final class ShardTables {
    public static final Table DIRENT = new Table("dirent");
    public static final Table INODE = new Table("inode");
    public static final Table XATTR = new Table("xattr");
    public static final Table PARTITION = new Table("partition");
    public static final Table MAP = new Table("map");
    public static final Table GIVING = new Table("giving");
    /** A group of keys holds the rows of one kind for one session. The ids of a session's requests rise. */
    public static final Table SESSION = new Table("session", 1 + Long.BYTES);

    public static final Table DATAFILE = new Table("datafile");
    public static final Table FENCE = new Table("fence");
    public static final Table POOL = new Table("pool");
    public static final Table DELETION = new Table("deletion");
    public static final Table OUTBOX = new Table("outbox");
    /**
     * The intent table has groups of keys, like the session table. So the store quickly finds out that a new request
     * has no intent.
     */
    public static final Table INTENT = new Table("intent", 1 + Long.BYTES);

    public static final Table META = new Table("meta");

    /** All tables, for the opening of a shard's store. */
    public static final List<Table> ALL = List.of(
            DIRENT, INODE, XATTR, PARTITION, MAP, GIVING, SESSION, DATAFILE, FENCE, POOL, DELETION, INTENT, OUTBOX,
            META);

    private ShardTables() {}
}

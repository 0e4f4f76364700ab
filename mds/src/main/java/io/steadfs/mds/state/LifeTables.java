package io.steadfs.mds.state;

import io.steadfs.store.Table;
import java.util.List;

/**
 * The tables of a shard that exist only in its heap, for one life of the shard. A restart forgets them. Numbers are
 * unsigned and big-endian, as in {@link ShardTables}.
 *
 * <pre>
 *  table      key                                              value
 *  ---------  -----------------------------------------------  ------------------------------------------------
 *  claim      0x01, session 8, metafile 8                      OpenedRow: the session claims this untouched metafile
 *             0x02, session 8                                  count 8 of its rows 0x01
 *             0x03, metafile 8                                 empty: made in an earlier life, and claimed no more
 *             0x04                                             handle 8: the first that this life may give out
 *             0x05                                             empty: the grace is over
 *             0x06, session 8, request id 8,                   RecordedReply, of a leg that changed only this table
 *               start 8, start of a rename's source 8
 * </pre>
 */
public final class LifeTables {
    public static final Table CLAIM = new Table("claim");

    public static final List<Table> ALL = List.of(CLAIM);

    private LifeTables() {}
}

package io.steadfs.fsck;

import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckDatafilesReply;
import io.steadfs.wire.proto.CheckDatafilesRequest;
import io.steadfs.wire.proto.ListedColumn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The answers of all shards about some datafiles: which metafiles list a datafile, and which datafiles are to be
 * removed.
 *
 * @param listed maps each datafile to the columns that list it
 * @param queued datafiles in the deletion queue of a shard
 * @param unknown datafiles about which a shard cannot answer, because that shard cannot read its own store
 */
record Claims(Map<Handle, List<Claim>> listed, Set<Handle> queued, Set<Handle> unknown) {
    /** A column that lists a datafile, according to a shard. */
    record Claim(int shard, ListedColumn column) {
        String words() {
            return "column " + column.getIndex() + " of metafile " + new Handle(column.getMetafile());
        }

        /** Whether the metafile itself lists the datafile, and not only the shard's index. */
        boolean isReal() {
            return !column.getAstray() && column.getUnreadable().isEmpty();
        }
    }

    /**
     * Asks all shards about the datafiles.
     *
     * @param columns columns that the shards also check, because a column may list a datafile without an entry in the
     *     index
     */
    static Claims ask(
            CheckedServers servers, Collection<Long> datafiles, Collection<CheckDatafilesRequest.Column> columns)
            throws FsException {
        CheckDatafilesRequest request = CheckDatafilesRequest.newBuilder()
                .addAllDatafiles(datafiles)
                .addAllColumns(columns)
                .build();
        Map<Handle, List<Claim>> listed = new HashMap<>();
        Set<Handle> queued = new HashSet<>();
        Set<Handle> unknown = new HashSet<>();
        for (int shard = 0; shard < servers.shards(); shard++) {
            int number = shard;
            CheckDatafilesReply reply =
                    servers.askShard(shard, Kind.CHECK_DATAFILES, request, CheckDatafilesReply.class);
            reply.getListedList()
                    .forEach(claim -> listed.computeIfAbsent(
                                    new Handle(claim.getDatafile()), unused -> new ArrayList<>())
                            .add(new Claim(number, claim)));
            reply.getQueuedList().forEach(value -> queued.add(new Handle(value)));
            reply.getUnknownList().forEach(value -> unknown.add(new Handle(value)));
        }
        return new Claims(listed, queued, unknown);
    }

    static CheckDatafilesRequest.Column column(long datafile, long metafile, int index) {
        return CheckDatafilesRequest.Column.newBuilder()
                .setDatafile(datafile)
                .setMetafile(metafile)
                .setIndex(index)
                .build();
    }

    List<Claim> of(Handle datafile) {
        return listed.getOrDefault(datafile, List.of());
    }
}

package io.steadfs.fsck;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckDatafilesReply;
import io.steadfs.wire.proto.CheckDatafilesRequest;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.ListedColumn;
import io.steadfs.wire.proto.ScanDatafilesReply;
import io.steadfs.wire.proto.ScanDatafilesRequest;
import io.steadfs.wire.proto.StatDatafilesReply;
import io.steadfs.wire.proto.StatDatafilesRequest;
import io.steadfs.wire.proto.StoredDatafile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Looks at suspected datafiles of one IO server again, so that no change in flight is reported. The server is asked before
 * and behind all shards, and these before and behind the server:
 *
 * <pre>
 *  1  IO server   what it has
 *  2  all shards  what they list, and what they are to remove
 *  3  IO server   what it has now, and how long it is
 *  4  all shards  the same as 2
 * </pre>
 *
 * <p>A datafile is leaked if it was there at 1 and 3, confirmed, and at 2 no shard listed it or was to remove it. For what is confirmed was
 * listed; what is listed no more is in the queue from the same moment, until the IO server has removed it; and no
 * metafile lists it a second time. A claim is wrong if it is the same at 2 and 4, and what the server said at 3 is
 * against it: a file that is deleted, written or cut in between has another claim at 4, or none.
 */
final class Recheck {
    private final CheckedServers servers;
    private final int ioServer;
    private final Consumer<Finding> found;

    Recheck(CheckedServers servers, int ioServer, Consumer<Finding> found) {
        this.servers = servers;
        this.ioServer = ioServer;
        this.found = found;
    }

    void look(List<Handle> suspects) throws FsException {
        if (suspects.isEmpty()) {
            return;
        }
        List<Long> datafiles = suspects.stream().map(Handle::value).toList();
        Map<Handle, StoredDatafile> before = stored(datafiles);
        OnRecord first = onRecord(datafiles);
        Map<Handle, StoredDatafile> after = stored(datafiles);
        Map<Handle, DatafileState> states = states(datafiles);
        OnRecord second = onRecord(datafiles);
        for (Handle datafile : suspects) {
            List<ListedColumn> claims = new ArrayList<>(first.claims(datafile));
            boolean isLeaked = claims.isEmpty() && !first.queued().contains(datafile);
            claims.removeIf(claim -> !second.claims(datafile).contains(claim));
            Optional<StoredDatafile> was = Optional.ofNullable(before.get(datafile));
            Optional<StoredDatafile> is = Optional.ofNullable(after.get(datafile));
            if (is.isPresent() && !is.get().getUnreadable().isEmpty()) {
                tell(
                        FindingKind.UNREADABLE_DATAFILE,
                        datafile,
                        Handle.NONE,
                        is.get().getUnreadable());
            } else if (isLeaked
                    && was.filter(Suspicion::mayBeLeaked).isPresent()
                    && is.filter(Suspicion::mayBeLeaked).isPresent()) {
                tellLeaked(datafile, is.get());
            }
            if (claims.size() > 1) {
                tell(FindingKind.CLAIMED_TWICE, datafile, metafile(claims.get(0)), "listed by " + words(claims));
            }
            for (ListedColumn claim : claims) {
                tellOf(datafile, claim, is, Optional.ofNullable(states.get(datafile)));
            }
        }
    }

    private void tellLeaked(Handle datafile, StoredDatafile stored) {
        Handle metafile = new Handle(stored.getMetafile());
        tell(
                FindingKind.LEAKED_DATAFILE,
                datafile,
                metafile,
                stored.getLength() + " bytes; "
                        + (metafile.isNone()
                                ? "leased once, by no lease now"
                                : "metafile " + metafile + " does not list it"));
    }

    private void tellOf(
            Handle datafile, ListedColumn claim, Optional<StoredDatafile> stored, Optional<DatafileState> state) {
        Handle metafile = metafile(claim);
        String column = "column " + claim.getIndex() + " of metafile " + metafile;
        if (claim.getAstray()) {
            tell(FindingKind.STRAY_INDEX, datafile, metafile, column + " is not it");
        } else if (state.isPresent() && state.get().getError() == FsError.NO_SUCH_DATAFILE.code()) {
            tell(
                    FindingKind.MISSING_DATAFILE,
                    datafile,
                    metafile,
                    column + ", which needs " + claim.getLeastLength() + " bytes of it");
        } else if (stored.filter(row -> Suspicion.isForeign(row, claim)).isPresent()) {
            tell(
                    FindingKind.FOREIGN_DATAFILE,
                    datafile,
                    metafile,
                    column + ", but IO server " + ioServer + " has it for metafile "
                            + new Handle(stored.get().getMetafile()));
        } else if (state.isPresent()
                && state.get().getError() == FsError.OK.code()
                && state.get().getLength() < claim.getLeastLength()) {
            tell(
                    FindingKind.SHORT_DATAFILE,
                    datafile,
                    metafile,
                    state.get().getLength() + " bytes, " + column + " needs " + claim.getLeastLength());
        }
    }

    private void tell(FindingKind kind, Handle datafile, Handle metafile, String what) {
        found.accept(new Finding(kind, datafile, metafile, what));
    }

    private static Handle metafile(ListedColumn claim) {
        return new Handle(claim.getMetafile());
    }

    private static String words(List<ListedColumn> claims) {
        List<String> words = new ArrayList<>();
        claims.forEach(claim -> words.add("column " + claim.getIndex() + " of metafile " + metafile(claim)));
        return String.join(" and ", words);
    }

    private record OnRecord(Map<Handle, List<ListedColumn>> listed, Set<Handle> queued) {
        List<ListedColumn> claims(Handle datafile) {
            return listed.getOrDefault(datafile, List.of());
        }
    }

    private OnRecord onRecord(List<Long> datafiles) throws FsException {
        CheckDatafilesRequest request =
                CheckDatafilesRequest.newBuilder().addAllDatafiles(datafiles).build();
        Map<Handle, List<ListedColumn>> listed = new HashMap<>();
        Set<Handle> queued = new HashSet<>();
        for (int shard = 0; shard < servers.shards(); shard++) {
            CheckDatafilesReply reply =
                    servers.askShard(shard, Kind.CHECK_DATAFILES, request, CheckDatafilesReply.class);
            reply.getListedList()
                    .forEach(claim -> listed.computeIfAbsent(
                                    new Handle(claim.getDatafile()), unused -> new ArrayList<>())
                            .add(claim));
            reply.getQueuedList().forEach(value -> queued.add(new Handle(value)));
        }
        return new OnRecord(listed, queued);
    }

    private Map<Handle, StoredDatafile> stored(List<Long> datafiles) throws FsException {
        ScanDatafilesRequest request =
                ScanDatafilesRequest.newBuilder().addAllDatafiles(datafiles).build();
        Map<Handle, StoredDatafile> stored = new HashMap<>();
        servers.askIo(ioServer, Kind.SCAN_DATAFILES, request, ScanDatafilesReply.class)
                .getDatafilesList()
                .forEach(row -> stored.put(new Handle(row.getDatafile()), row));
        return stored;
    }

    private Map<Handle, DatafileState> states(List<Long> datafiles) throws FsException {
        StatDatafilesRequest request =
                StatDatafilesRequest.newBuilder().addAllDatafiles(datafiles).build();
        Map<Handle, DatafileState> states = new HashMap<>();
        servers.askIo(ioServer, Kind.STAT_DATAFILES, request, StatDatafilesReply.class)
                .getDatafilesList()
                .forEach(state -> states.put(new Handle(state.getDatafile()), state));
        return states;
    }
}

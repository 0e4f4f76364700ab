package io.steadfs.fsck;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.fsck.Claims.Claim;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.ListedColumn;
import io.steadfs.wire.proto.ScanDatafilesReply;
import io.steadfs.wire.proto.ScanDatafilesRequest;
import io.steadfs.wire.proto.StatDatafilesReply;
import io.steadfs.wire.proto.StatDatafilesRequest;
import io.steadfs.wire.proto.StoredDatafile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Looks again at suspected datafiles of one IO server, so that no change in progress becomes a finding. Each look asks
 * the IO server, then all shards, then the IO server again, and then all shards again:
 *
 * <pre>
 *  1  IO server   what it has
 *  2  all shards  what the shards list, and what they are to remove
 *  3  IO server   what it has now, and how long each datafile is
 *  4  all shards  the same as 2
 * </pre>
 *
 * <p>A datafile is leaked if two conditions hold. First, the datafile exists and is confirmed at steps 1 and 3. Second,
 * at step 2 no shard lists the datafile and no shard is to remove it.
 *
 * <p>At some time, a metafile listed every confirmed datafile. If a metafile stops listing a datafile, the same commit
 * puts the datafile into the deletion queue. The datafile stays in the queue until the IO server has removed it. No
 * metafile ever lists the same datafile a second time.
 *
 * <p>A claim is wrong if steps 2 and 4 show the same claim, but the server's answer at step 3 contradicts the claim. If
 * a client deletes, writes or truncates the file between steps 2 and 4, step 4 shows another claim or no claim.
 */
final class DatafileRecheck {
    private final CheckedServers servers;
    private final int ioServer;
    private final NeededBytes needed;

    DatafileRecheck(CheckedServers servers, int ioServer, NeededBytes needed) {
        this.servers = servers;
        this.ioServer = ioServer;
        this.needed = needed;
    }

    /** Returns the findings about the suspects. @throws FsException if a server does not answer */
    List<Finding> look(List<Handle> suspects) throws FsException {
        List<Finding> findings = new ArrayList<>();
        if (suspects.isEmpty()) {
            return findings;
        }
        List<Long> datafiles = suspects.stream().map(Handle::value).toList();
        Map<Handle, StoredDatafile> before = stored(datafiles);
        Claims first = onRecord(datafiles, before);
        Map<Handle, StoredDatafile> after = stored(datafiles);
        Map<Handle, DatafileState> states = states(datafiles);
        Claims second = onRecord(datafiles, before);
        int shards = servers.shards();
        for (Handle datafile : suspects) {
            List<Claim> claims = new ArrayList<>(first.of(datafile));
            boolean isListed = claims.stream().anyMatch(claim -> !claim.column().getAstray());
            claims.retainAll(second.of(datafile));
            Optional<StoredDatafile> was = Optional.ofNullable(before.get(datafile));
            Optional<StoredDatafile> is = Optional.ofNullable(after.get(datafile));
            boolean sameClaims = first.of(datafile).equals(second.of(datafile));
            if (is.isPresent() && !is.get().getUnreadable().isEmpty()) {
                if (!sameClaims) {
                    continue;
                }
                findings.add(of(
                                is.get().getDamaged() ? FindingKind.UNREADABLE_ROWS : FindingKind.UNREADABLE_DATAFILE,
                                datafile,
                                claims.isEmpty()
                                        ? Handle.NONE
                                        : new Handle(claims.get(0).column().getMetafile()),
                                is.get().getUnreadable())
                        .in(RowTable.DATAFILE)
                        .ofColumn(
                                claims.isEmpty() ? 0 : claims.get(0).column().getIndex(),
                                0,
                                claims.isEmpty() ? 0 : claims.get(0).column().getVersion()));
            } else if (!isListed
                    && !first.queued().contains(datafile)
                    && !first.unknown().contains(datafile)
                    && was.filter(row -> Suspicion.mayBeLeaked(row, shards)).isPresent()
                    && is.filter(row -> Suspicion.mayBeLeaked(row, shards)).isPresent()) {
                findings.add(leaked(datafile, is.get()));
            }
            List<Claim> real = claims.stream().filter(Claim::isReal).toList();
            List<Claim> more = more(real, is);
            for (Claim claim : more) {
                findings.add(of(
                                FindingKind.CLAIMED_TWICE,
                                datafile,
                                new Handle(claim.column().getMetafile()),
                                "listed by "
                                        + real.stream()
                                                .map(Claim::words)
                                                .sorted()
                                                .collect(Collectors.joining(" and ")))
                        .ofColumn(claim.column().getIndex(), 0, claim.column().getVersion()));
            }
            claims.removeAll(more);
            for (Claim claim : claims) {
                wrong(datafile, claim, is, Optional.ofNullable(states.get(datafile)))
                        .ifPresent(findings::add);
            }
        }
        return findings;
    }

    /**
     * Returns all claims except the right claim. The right claim is the claim that the IO server's row names. If the IO
     * server's row names none of the claims, the first claim is the right claim.
     */
    private static List<Claim> more(List<Claim> claims, Optional<StoredDatafile> stored) {
        if (claims.size() < 2) {
            return List.of();
        }
        List<Claim> more = new ArrayList<>(claims);
        more.sort(Comparator.comparing(claim -> new Handle(claim.column().getMetafile())));
        Claim right = more.stream()
                .filter(claim -> stored.filter(row -> !Suspicion.isForeign(row, claim.column()))
                        .isPresent())
                .findFirst()
                .orElse(more.get(0));
        more.remove(right);
        return more;
    }

    private Finding leaked(Handle datafile, StoredDatafile stored) {
        Handle metafile = new Handle(stored.getMetafile());
        return of(
                        FindingKind.LEAKED_DATAFILE,
                        datafile,
                        metafile,
                        stored.getLength() + " bytes; "
                                + (metafile.isNone()
                                        ? "leased once, by no lease now"
                                        : "metafile " + metafile + " does not list it"))
                .ofColumn(stored.getIndex(), stored.getLength(), 0);
    }

    /** The finding about a claim that is wrong; empty if the claim is right. */
    private Optional<Finding> wrong(
            Handle datafile, Claim claim, Optional<StoredDatafile> stored, Optional<DatafileState> state) {
        ListedColumn column = claim.column();
        Handle metafile = new Handle(column.getMetafile());
        Optional<Integer> error = state.map(DatafileState::getError);
        if (!column.getUnreadable().isEmpty() && (column.getDamaged() || !metafile.isNone())) {
            // The row of the index can be read, but another row cannot. The scan of the shard's rows reports the
            // unreadable row.
            return Optional.empty();
        }
        if (!column.getUnreadable().isEmpty()) {
            return Optional.of(Finding.of(
                            FindingKind.UNREADABLE_RECORD,
                            Finding.shard(claim.shard()),
                            datafile,
                            metafile,
                            Words.INDEX + column.getUnreadable())
                    .in(RowTable.DATAFILE));
        }
        if (column.getAstray()) {
            return Optional.of(Finding.of(
                            FindingKind.STRAY_INDEX,
                            Finding.shard(claim.shard()),
                            datafile,
                            metafile,
                            claim.words() + " is not it")
                    .in(RowTable.DATAFILE)
                    .ofColumn(column.getIndex(), 0, column.getVersion()));
        }
        if (error.filter(code -> code == FsError.NO_SUCH_DATAFILE.code()).isPresent()) {
            return Optional.of(of(
                            FindingKind.MISSING_DATAFILE,
                            datafile,
                            metafile,
                            claim.words() + ", which needs " + needed.of(column) + " bytes of it")
                    .ofColumn(column.getIndex(), 0, column.getVersion()));
        }
        if (stored.filter(row -> Suspicion.isForeign(row, column)).isPresent()) {
            return Optional.of(of(
                            FindingKind.FOREIGN_DATAFILE,
                            datafile,
                            metafile,
                            claim.words() + ", but io-" + ioServer + " has it as column "
                                    + stored.get().getIndex() + " of metafile "
                                    + new Handle(stored.get().getMetafile()))
                    .ofColumn(column.getIndex(), 0, column.getVersion()));
        }
        boolean isShort = error.filter(code -> code == FsError.OK.code()).isPresent()
                && state.get().getLength() < needed.of(column);
        return isShort
                ? Optional.of(of(
                                FindingKind.SHORT_DATAFILE,
                                datafile,
                                metafile,
                                state.get().getLength() + " bytes, " + claim.words() + " needs " + needed.of(column))
                        .ofColumn(column.getIndex(), state.get().getLength(), column.getVersion()))
                : Optional.empty();
    }

    private Finding of(FindingKind kind, Handle datafile, Handle metafile, String what) {
        return Finding.of(kind, Finding.ioServer(ioServer), datafile, metafile, what);
    }

    /**
     * @param stored rows of the IO server; each row names a column that may list the datafile, even if the index has no
     *     entry
     */
    private Claims onRecord(List<Long> datafiles, Map<Handle, StoredDatafile> stored) throws FsException {
        return Claims.ask(
                servers,
                datafiles,
                stored.values().stream()
                        .filter(row -> row.getMetafile() != 0)
                        .map(row -> Claims.column(row.getDatafile(), row.getMetafile(), row.getIndex()))
                        .toList());
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

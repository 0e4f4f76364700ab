package io.steadfs.mds;

import io.steadfs.handle.Handle;
import io.steadfs.mds.call.Routes;
import io.steadfs.mds.duty.NameRates;
import io.steadfs.mds.op.attribute.*;
import io.steadfs.mds.op.check.*;
import io.steadfs.mds.op.copy.*;
import io.steadfs.mds.op.intent.*;
import io.steadfs.mds.op.layout.*;
import io.steadfs.mds.op.list.*;
import io.steadfs.mds.op.name.*;
import io.steadfs.mds.op.rename.*;
import io.steadfs.mds.op.server.*;
import io.steadfs.mds.op.session.*;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.*;
import java.util.List;
import java.util.OptionalLong;

/** The operations that change nothing, one for each kind of request. */
final class ReadRoutes {
    private ReadRoutes() {}

    static void addTo(Routes routes, ShardParts parts, ShardStatus status) {
        routes.read(Kind.CLUSTER_MAP, ClusterMapRequest.class, new GetClusterMap())
                .read(Kind.STATUS, StatusRequest.class, new GetStatus(status))
                .read(Kind.RENEW_SESSION, RenewSessionRequest.class, renewSession(parts))
                .read(Kind.SESSION_STATUS, SessionStatusRequest.class, new SessionStatus())
                .read(Kind.STAT, StatRequest.class, new Stat())
                .read(Kind.LIST, ListRequest.class, new ListDirectory())
                .scan(Kind.LIST_TREE, ListTreeRequest.class, new ListTree())
                .read(Kind.GET_XATTRS, GetXattrsRequest.class, new GetXattrs())
                .read(Kind.LIST_PARTITIONS, ListPartitionsRequest.class, new ListPartitions())
                .scan(Kind.CONTENT_SUMMARY, ContentSummaryRequest.class, new ContentSummary())
                .read(Kind.STAT_HANDLES, StatHandlesRequest.class, new StatHandles())
                .read(Kind.LOOK_UP, LookUpRequest.class, new LookUp())
                .read(
                        Kind.GIVE_COPIES,
                        GiveCopiesRequest.class,
                        new GiveCopies(parts.copies().given(), parts.log()::snapshot))
                .read(Kind.ANCESTORS, AncestorsRequest.class, new Ancestors())
                .scan(Kind.CHECK_TREE, CheckTreeRequest.class, new CheckTree())
                .read(Kind.LIST_FENCES, ListFencesRequest.class, new ListFences())
                .read(Kind.CONFIRM_DATAFILES, ConfirmDatafilesRequest.class, new ConfirmDatafiles())
                .scan(Kind.LIST_OPEN_FILES, ListOpenFilesRequest.class, new ListOpenFiles())
                .scan(Kind.SCAN_LISTED, ScanListedRequest.class, new ScanListed())
                .scan(Kind.CHECK_DATAFILES, CheckDatafilesRequest.class, new CheckDatafiles())
                .scan(Kind.SCAN_OBJECTS, ScanObjectsRequest.class, new ScanObjects())
                .scan(Kind.SCAN_ENTRIES, ScanEntriesRequest.class, new ScanEntries())
                .scan(Kind.SCAN_PARTITIONS, ScanPartitionsRequest.class, new ScanPartitions())
                .scan(Kind.SCAN_PENDING, ScanPendingRequest.class, new ScanPending())
                .scan(
                        Kind.SCRUB_STORE,
                        ScrubStoreRequest.class,
                        new ScrubStore(parts.outside().store()))
                .scan(Kind.CHECK_OBJECTS, CheckObjectsRequest.class, new CheckObjects())
                .scan(Kind.WATCH_OBJECTS, WatchObjectsRequest.class, new WatchObjects(parts.watches()))
                .read(Kind.PARTITION_ACTIVITY, PartitionActivityRequest.class, partitionActivity(parts))
                .read(Kind.INTENT_STATUS, IntentStatusRequest.class, intentStatus(parts));
    }

    private static RenewSession renewSession(ShardParts parts) {
        return new RenewSession(parts.sessionMillis(), parts.sessionTimes(), parts.clock());
    }

    private static PartitionActivity partitionActivity(ShardParts parts) {
        return new PartitionActivity(new PartitionActivity.Observed() {
            @Override
            public List<Handle> hottest(int most) {
                return parts.nameRates().hottest(most).stream()
                        .map(NameRates.Hot::directory)
                        .toList();
            }

            @Override
            public double namesPerSecond(Handle partition) {
                return parts.nameRates().perSecond(partition);
            }

            @Override
            public OptionalLong sinceMillis(Handle source) {
                return parts.handOvers().sinceMillis(source);
            }
        });
    }

    private static IntentStatus intentStatus(ShardParts parts) {
        return new IntentStatus(parts.intentPeers()::lowestOpen);
    }
}

package io.steadfs.mds;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.mds.call.DutyPursuits;
import io.steadfs.mds.call.PursuitGround;
import io.steadfs.mds.deletion.DatafilesQueued;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.duty.Acknowledgements;
import io.steadfs.mds.duty.ClaimGrace;
import io.steadfs.mds.duty.DeletionDrain;
import io.steadfs.mds.duty.Duty;
import io.steadfs.mds.duty.FileRecovery;
import io.steadfs.mds.duty.FloorInquiry;
import io.steadfs.mds.duty.IntentFinish;
import io.steadfs.mds.duty.IoServers;
import io.steadfs.mds.duty.LeaseSupply;
import io.steadfs.mds.duty.LockInquiry;
import io.steadfs.mds.duty.OutboxDrain;
import io.steadfs.mds.duty.PartitionSizes;
import io.steadfs.mds.duty.PoolLimits;
import io.steadfs.mds.duty.SessionFence;
import io.steadfs.mds.duty.SessionReaper;
import io.steadfs.mds.duty.TreeReclaim;
import io.steadfs.mds.duty.WakeOnRecord;
import io.steadfs.mds.op.give.BeginGiving;
import io.steadfs.mds.op.give.BeginMerge;
import io.steadfs.mds.op.give.EndGiving;
import io.steadfs.mds.op.give.GivePartition;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.intent.CloseIntent;
import io.steadfs.mds.op.intent.ForgetNotices;
import io.steadfs.mds.op.intent.RaiseFloor;
import io.steadfs.mds.op.intent.UndoIntent;
import io.steadfs.mds.op.intent.UndoLostSlot;
import io.steadfs.mds.op.layout.DropLeases;
import io.steadfs.mds.op.layout.ForgetDatafiles;
import io.steadfs.mds.op.layout.PoolLease;
import io.steadfs.mds.op.name.ReclaimTree;
import io.steadfs.mds.op.name.RemoveUnlinked;
import io.steadfs.mds.op.session.EndGrace;
import io.steadfs.mds.op.session.ExpireSession;
import io.steadfs.mds.op.write.CompleteRecovery;
import io.steadfs.mds.op.write.RaiseGeneration;
import io.steadfs.mds.op.write.RecoveredLength;
import io.steadfs.mds.outbox.NoticeQueued;
import io.steadfs.mds.partition.Begun;
import io.steadfs.mds.partition.KeptNames;
import io.steadfs.mds.partition.Occasion;
import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.outage.Outages;
import io.steadfs.wire.FrameLimits;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * The duties of a shard. This class makes each duty with the commands that the duty submits. All duties start and stop
 * together.
 */
final class ShardDuties {
    /**
     * How long a request waits for locks of other shards, in milliseconds. A request that waits longer is answered
     * BUSY.
     */
    private static final long PATIENCE_MILLIS = 5_000;

    /** The highest number of entries of a cut-off directory that one command clears. */
    private static final int RECLAIM_ENTRIES = 256;

    private final List<Duty> all;
    private final PursuitGround pursuits;
    private final CommitListener wakes;
    private final CommitListener notes;

    ShardDuties(ShardParts parts) {
        IoServers ioServers = new IoServers(
                parts.outside().transport(),
                parts.outside().cluster(),
                parts.settings().get(IoServers.TIMEOUT));
        IntentFinish intentFinish = new IntentFinish(
                parts::committed,
                parts.core(),
                parts.intentPeers(),
                parts.awaitedShards(),
                parts.scheduler(),
                UndoIntent::new,
                CloseIntent::new);
        pursuits = PursuitGround.of(
                parts.core(),
                parts.peers(),
                parts.questions(),
                parts.intentPeers(),
                parts.awaitedShards(),
                intentFinish,
                parts.clock(),
                parts.scheduler(),
                PATIENCE_MILLIS,
                new SplittableRandom(parts.shard()));
        FileRecovery fileRecovery = new FileRecovery(
                parts::committed,
                parts.core(),
                ioServers,
                parts.scheduler(),
                RecoveredLength::cuts,
                CompleteRecovery::new,
                RaiseGeneration::new);
        TreeReclaim treeReclaim = new TreeReclaim(
                parts::committed,
                parts.core(),
                parts.scheduler(),
                directory -> new ReclaimTree(directory, RECLAIM_ENTRIES));
        DeletionDrain deletionDrain = new DeletionDrain(
                parts::committed, parts.core(), ioServers, parts.scheduler(), parts.clock(), ForgetDatafiles::new);
        OutboxDrain outboxDrain = outboxDrain(parts);
        LeaseSupply leaseSupply = leaseSupply(parts, ioServers);
        PartitionSizes partitionSizes = partitionSizes(parts, pursuits);
        Acknowledgements acknowledgements = new Acknowledgements(ioServers, parts.scheduler(), parts.clock());
        all = List.of(
                intentFinish,
                new LockInquiry(
                        parts::committed, parts.core(), parts.intentPeers(), parts.scheduler(), UndoLostSlot::new),
                new FloorInquiry(
                        parts::committed, parts.core(), parts.intentPeers(), parts.scheduler(), RaiseFloor::new),
                sessionReaper(parts),
                sessionFence(parts, pursuits),
                fileRecovery,
                treeReclaim,
                deletionDrain,
                outboxDrain,
                leaseSupply,
                partitionSizes,
                acknowledgements);
        wakes = new WakeOnRecord(Map.of(
                DatafilesQueued.class, deletionDrain::wake,
                TreeQueued.class, treeReclaim::wake,
                RecoveryQueued.class, fileRecovery::wake,
                NoticeQueued.class, outboxDrain::wake));
        notes = leaseSupply.and(acknowledgements).and(partitionSizes);
    }

    private static OutboxDrain outboxDrain(ShardParts parts) {
        return new OutboxDrain(
                parts::committed,
                parts.core(),
                (shard, notice) ->
                        parts.peers().send(shard, Kind.NOTIFY, "notify", Caller.getDefaultInstance(), notice),
                parts.scheduler(),
                parts.clock(),
                ForgetNotices::new);
    }

    private static SessionReaper sessionReaper(ShardParts parts) {
        return new SessionReaper(
                parts::committed,
                parts.core(),
                parts.sessionTimes(),
                parts.sessionMillis(),
                parts.scheduler(),
                parts.clock(),
                new SessionReaper.GuestSessions(
                        parts.shard(),
                        parts::shards,
                        (home, request) -> parts.peers()
                                .send(
                                        home,
                                        Kind.SESSION_STATUS,
                                        "session status",
                                        Caller.getDefaultInstance(),
                                        request)),
                ExpireSession::new,
                new ClaimGrace(parts::committed, parts.core(), parts.sessionMillis(), EndGrace::new));
    }

    private static SessionFence sessionFence(ShardParts parts, PursuitGround pursuits) {
        return new SessionFence(
                parts::committed,
                new DutyPursuits("SessionFence", pursuits),
                new Outages("shard " + parts.shard(), parts.clock(), LoggerFactory.getLogger(SessionFence.class)::warn),
                parts.sessionMillis(),
                parts.scheduler(),
                parts.outside().confirmedShards(),
                RemoveUnlinked::new);
    }

    private static PartitionSizes partitionSizes(ShardParts parts, PursuitGround pursuits) {
        PartitionLimits limits = PartitionLimits.from(parts.settings());
        // The other half is for what protobuf adds.
        long mostBytes = parts.settings().get(FrameLimits.MAX_BODY) / 2;
        return new PartitionSizes(
                parts.shard(),
                parts::committed,
                parts.core(),
                new DutyPursuits("PartitionSizes", pursuits),
                parts.scheduler(),
                parts.clock(),
                new PartitionSizes.Limits(
                        limits.entries(),
                        limits.few(),
                        parts.settings().get(PartitionLimits.RATE),
                        TimeUnit.MILLISECONDS.toNanos(parts.settings().get(PartitionLimits.QUIET))),
                parts.nameRates(),
                () -> parts.shards().serving(),
                new PartitionSizes.Commands() {
                    @Override
                    public InternalCommand<Begun> split(Handle directory, Occasion occasion) {
                        return new BeginGiving(directory, limits, mostBytes, occasion);
                    }

                    @Override
                    public InternalCommand<Boolean> merge(Handle directory) {
                        return new BeginMerge(directory, limits, mostBytes);
                    }

                    @Override
                    public InternalCommand<Optional<KeptNames>> give(Handle directory) {
                        return new GivePartition(directory, limits);
                    }

                    @Override
                    public InternalCommand<Boolean> end(Handle directory) {
                        return new EndGiving(directory);
                    }
                });
    }

    private static LeaseSupply leaseSupply(ShardParts parts, IoServers ioServers) {
        return new LeaseSupply(
                parts::committed,
                parts.core(),
                ioServers,
                parts.scheduler(),
                parts.clock(),
                () -> parts.inputs().forRead().holder(),
                "shard " + parts.shard(),
                PoolLimits.of(parts.settings()),
                new LeaseSupply.Commands() {
                    @Override
                    public InternalCommand<Boolean> pool(long holder, HandleRange range) {
                        return new PoolLease(holder, range);
                    }

                    @Override
                    public InternalCommand<Integer> drop(int server, Set<Handle> firsts) {
                        return new DropLeases(server, firsts);
                    }
                });
    }

    /** All duties in the order of their start. */
    List<Duty> all() {
        return all;
    }

    void start() {
        all.forEach(Duty::start);
    }

    void stop() {
        all.forEach(Duty::stop);
    }

    /** The parts that pursuits of requests use too. The duty that finishes intents ends an intent of a pursuit. */
    PursuitGround pursuits() {
        return pursuits;
    }

    /** Wakes a duty after the commit of a record that means work for the duty. */
    CommitListener wakes() {
        return wakes;
    }

    /** Passes committed records to the duties that remember some of them. */
    CommitListener notes() {
        return notes;
    }
}

package io.steadfs.mds.op.list;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.HandOver;
import io.steadfs.wire.proto.PartitionActivityReply;
import io.steadfs.wire.proto.PartitionActivityRequest;
import io.steadfs.wire.proto.PartitionRate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Answers in which partitions of this shard most names are made, and which of them give names to other partitions.
 * Administrators send this request.
 */
public final class PartitionActivity extends NamespaceQuery<PartitionActivityRequest> {
    static final int MOST = 1_000;

    private final Observed observed;

    /** What the shard noted about its partitions, and keeps in memory only. */
    public interface Observed {
        /** Partitions in which most names are made, those with the most first. */
        List<Handle> hottest(int most);

        double namesPerSecond(Handle partition);

        /** When the partition began to give names, in milliseconds since 1970; empty = before the shard's start. */
        OptionalLong sinceMillis(Handle source);
    }

    public PartitionActivity(Observed observed) {
        super(Kind.PARTITION_ACTIVITY);
        this.observed = observed;
    }

    @Override
    public MessageLite look(PartitionActivityRequest request, Context context) throws Refused {
        Handle directory = new Handle(request.getDirectory());
        if (!directory.isNone() && !isOfShard(directory, context)) {
            throw new Refused(FsError.INVALID_ARGUMENT, directory + " is of no shard");
        }
        List<Handle> partitions = directory.isNone()
                ? observed.hottest((int) Math.min(MOST, Integer.toUnsignedLong(request.getHottest())))
                : partitionsHere(directory, context);
        PartitionActivityReply.Builder reply = PartitionActivityReply.newBuilder();
        partitions.forEach(each -> rate(each, context.view()).ifPresent(reply::addPartitions));
        for (Handle source : Givings.all(context.view())) {
            handOver(source, context.view())
                    .filter(each -> directory.isNone() || each.getDirectory() == directory.value())
                    .ifPresent(reply::addHandOvers);
        }
        return reply.build();
    }

    private static boolean isOfShard(Handle directory, Context context) {
        return directory.isOwnedByShard() && context.shards().has(directory.shard());
    }

    private static List<Handle> partitionsHere(Handle directory, Context context) {
        List<Handle> partitions = Maps.entries(context.view(), directory).stream()
                .map(MapEntry::handle)
                .filter(context::owns)
                .distinct()
                .toList();
        return partitions.isEmpty() && context.owns(directory) ? List.of(directory) : partitions;
    }

    private Optional<PartitionRate> rate(Handle handle, ReadView view) {
        Optional<DirectoryRow> row = Directories.find(view, handle);
        Optional<Partition> partition = row.flatMap(each -> partition(handle, each, view));
        return partition.map(each -> PartitionRate.newBuilder()
                .setHandle(handle.value())
                .setDirectory(WholeDirectory.of(handle, row.orElseThrow()).value())
                .setNumber(each.number())
                .setDepth(each.depth())
                .setEntries(entries(handle, view))
                .setNamesPerSecond(observed.namesPerSecond(handle))
                .build());
    }

    private static long entries(Handle handle, ReadView view) {
        return DirectoryCounts.find(view, handle).map(CountsRow::getEntries).orElse(0L);
    }

    /** Empty if the directory has names only until a hand over is over. */
    private static Optional<Partition> partition(Handle handle, DirectoryRow row, ReadView view) {
        if (!row.hasPartOf() && DirectoryNode.hasOnePartition(row)) {
            return Optional.of(new Partition(0, 0, handle));
        }
        return Maps.get(view, WholeDirectory.of(handle, row), row.getPartOf().getPartition())
                .filter(entry -> !entry.isStaged() && entry.handle().equals(handle))
                .map(MapEntry::partition);
    }

    private Optional<HandOver> handOver(Handle source, ReadView view) {
        Optional<GivingRow> giving = Givings.readable(view, source);
        Optional<DirectoryRow> row = Directories.find(view, source);
        return giving.isEmpty() || row.isEmpty() ? Optional.empty() : Optional.of(handOver(source, giving.get(), view));
    }

    private HandOver handOver(Handle source, GivingRow giving, ReadView view) {
        Partition range = new Partition(giving.getNumber(), giving.getDepth(), source);
        HandOver.Builder handOver = HandOver.newBuilder()
                .setDirectory(giving.getDirectory())
                .setSource(range.number())
                .setSourceDepth(range.depth())
                .setTarget(range.number())
                .setTargetShard(giving.getTarget())
                .setSinceMillis(observed.sinceMillis(source).orElse(0))
                .setEntries(entries(source, view));
        switch (giving.getWhat()) {
            case MERGED -> {
                handOver.setKind(HandOver.Kind.MERGE)
                        .setTarget(range.lowerNumber())
                        .clearTargetShard();
                // A shard that is not the home shard may not know where it is.
                Maps.get(view, new Handle(giving.getDirectory()), range.lowerNumber())
                        .ifPresent(
                                stays -> handOver.setTargetShard(stays.handle().shard()));
            }
            case MOVED -> handOver.setKind(HandOver.Kind.MOVE);
            case HALVED ->
                handOver.setKind(HandOver.Kind.HALVE)
                        .setTargetShard(source.shard())
                        .setSource(range.lowerNumber())
                        .setSourceDepth(range.depth() - 1);
            case UPPER_HALF, UNRECOGNIZED ->
                handOver.setSource(range.lowerNumber()).setSourceDepth(range.depth() - 1);
        }
        return handOver.build();
    }
}

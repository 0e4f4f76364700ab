package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.NewPartition;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.MakePartitions;
import io.steadfs.wire.proto.PrepareReply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes empty partitions of a directory of another shard. Until the commit they are staged: nobody uses them. */
record MakePartitionsPart(MakePartitions request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        context.requireRoom();
        check();
        requireFree(context);
        NewHandles handles = new NewHandles(context);
        PrepareReply.Builder reply = PrepareReply.newBuilder();
        List<LogRecord> records = new ArrayList<>();
        for (int number : request.getNumbersList()) {
            Partition partition = new Partition(number, request.getDepth(), handles.take());
            records.addAll(new NewPartition(directory(), partition, request.getPathDepth()).records(true, context));
            reply.addPartitions(partition.handle().value());
        }
        records.add(handles.raised());
        return new Held(records, reply.build());
    }

    /** Refuses while another attempt to make the same partitions is not undone yet. */
    private void requireFree(Context context) throws Refused {
        for (int number : request.getNumbersList()) {
            Optional<MapEntry> there = Maps.get(context.view(), directory(), number);
            if (there.isPresent()) {
                String what = "partition " + number + " of directory " + directory() + " is on record already";
                throw there.get().isStaged()
                        ? new Refused(FsError.BUSY, what + "; try again")
                        : new Refused(FsError.ALREADY_EXISTS, what + ": run fsck");
            }
        }
    }

    private void check() throws Refused {
        if (request.getNumbersCount() > PartitionMap.MOST
                || new HashSet<>(request.getNumbersList()).size() < request.getNumbersCount()) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    request.getNumbersCount() + " partitions, some of them twice or more than " + PartitionMap.MOST);
        }
        for (int number : request.getNumbersList()) {
            try {
                var unused = new Partition(number, request.getDepth(), directory());
            } catch (IllegalArgumentException e) {
                throw new Refused(FsError.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        // One that was removed with its directory meanwhile gets no entry back.
        return own(held, context)
                .<LogRecord>map(each -> new MapEntrySet(directory(), new MapEntry(each, false)))
                .toList();
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        List<LogRecord> records = new ArrayList<>();
        made(held).forEach(each -> Removal.staged(each.handle(), context, records));
        own(held, context).forEach(each -> records.add(new MapEntryGone(directory(), each.number())));
        return records;
    }

    /** The partitions that are still as they were prepared. */
    private Stream<Partition> own(PrepareReply held, Context context) {
        return made(held).stream()
                .filter(each -> Maps.get(context.view(), directory(), each.number())
                        .filter(entry -> entry.handle().equals(each.handle()))
                        .isPresent());
    }

    private Handle directory() {
        return new Handle(request.getDirectory());
    }

    private List<Partition> made(PrepareReply held) {
        return IntStream.range(0, held.getPartitionsCount())
                .mapToObj(i ->
                        new Partition(request.getNumbers(i), request.getDepth(), new Handle(held.getPartitions(i))))
                .toList();
    }
}

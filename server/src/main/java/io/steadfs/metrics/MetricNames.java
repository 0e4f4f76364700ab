package io.steadfs.metrics;

import static io.steadfs.metrics.MetricName.each;
import static io.steadfs.metrics.MetricName.one;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Lists all numbers in STATUS with the metrics that show them. A metric has the name of its number. The unit is at the
 * end of the name.
 */
final class MetricNames {
    /** All metrics. If you add a number to STATUS, add a line here. A test compares this list with STATUS. */
    static final List<MetricName> ALL = List.of(
            // Every server
            each("messages.in.", "messages_in", "kind", "Requests that arrived, by kind."),
            each(
                    "messages.watching.",
                    "messages_watching",
                    "kind",
                    "Requests of tools that watch the cluster, by kind; not among those that arrived."),
            each("messages.out.", "messages_out", "kind", "Requests that the server sent to others, by kind."),
            each("steps.", "steps", "step", "Messages that arrived or were sent, by the step that their sender names."),
            each("refused.", "refused", "error", "Requests that were refused, by error."),
            one("connections.refused", "Connections that were told BUSY and closed because there were too many."),
            one("connections.open", "Connections that clients and other servers have open."),
            one("requests.working", "Requests that arrived and are not answered yet."),
            one("requests.working.bytes", "Bytes of the requests that arrived and are not answered yet."),
            one("queue.length", "Requests that wait for the writer of a shard, or for the lanes of an IO server."),
            one("heap.used.bytes", "Java heap in use, garbage that was not collected yet among it."),
            one("disk.free.bytes", "Free space of the disk under the server's directory."),
            one("disk.capacity.bytes", "Size of the disk under the server's directory."),
            one("disk.reserve.bytes", "Free space below which the server stores nothing new."),
            one("store.reopened", "Times that a store which had failed was opened again."),
            one("store.blockcache.bytes", "Memory of the store's block cache; memtables are charged to it."),
            one("store.rowcache.bytes", "Heap of rows that were read lately."),
            one("store.memtables.bytes", "Memory of the store's writes that are not flushed yet."),
            one("store.tablereaders.bytes", "Memory of the store's indexes and filters outside the block cache."),
            one("store.files.bytes", "Size of the store's table files."),
            one("store.background.errors", "Errors that the store met while it flushed or merged."),
            one("epoch", "Epoch of the newest cluster map that the server knows."),
            one("uptime.seconds", "Time since the server, or an IO server's store, was started."),
            one("problems", "Problems that STATUS tells of, in words."),
            // Metadata servers
            one("shards.hosted", "Metadata shards that the server hosts."),
            one("longreads.waiting", "Long reads that wait for a thread."),
            one("log.batches", "Batches appended to the shard's log."),
            one("log.records", "Records appended to the shard's log."),
            one("log.fsyncs", "Syncs of the shard's log."),
            one(
                    "store.marks",
                    "Marks of the shard's store, by which an older state of it is known; each is one more sync."),
            one("requests.decided", "Requests that the shard's writer decided."),
            one("requests.busy", "Requests that were refused because the shard's queue was full."),
            one("requests.cancelled", "Requests that were dropped because nobody waited for them any more."),
            one("requests.faults", "Requests whose decision broke."),
            one("copies.asked", "Questions of the shard for copies of other shards' directories."),
            one("copies.dropped", "Rows of which the shard dropped its copies because other shards took them back."),
            one(
                    "copies.changes.names",
                    "Names of directories that decisions removed, gave another meaning or held; 0 with one shard."),
            one(
                    "copies.changes.rows",
                    "Directories whose owner, group, mode or split decisions changed; 0 with one shard."),
            one("copies.held", "Copies of rows of other shards that the shard has."),
            one("copies.given", "Copies of the shard's rows that other shards may have."),
            one("copies.recalls", "Requests by which the shard took copies back."),
            one("copies.overdue", "Copies that were not given back before their term was over."),
            one("copies.waits", "Changes that waited until other shards had given copies back."),
            one("copies.waits.micros", "How long these changes waited in all."),
            one("copies.waiting", "Changes that wait now until other shards have given copies back."),
            each(
                    "copies.awaited-",
                    "copies_awaited",
                    "holder",
                    "Copies that the holder is still to give back to the shard, for changes that wait."),
            one("counts.recounted", "Counts of a session's files or a coordinator's slots that were wrong."),
            one("sessions.open", "Sessions at home on the shard, counted up to 10,000."),
            one("sessions.guest", "Sessions of other shards that are guests on this one, counted up to 10,000."),
            one("deletion.datafiles", "Datafiles that IO servers are still to be told to remove, up to 10,000."),
            one("deletion.trees", "Removed directories that are still to be cleared, up to 10,000."),
            each(
                    "deletion.io-",
                    "deletion_queue_datafiles",
                    "io_server",
                    "Datafiles that this IO server is still to be told to remove, up to 10,000."),
            one("recovery.files", "Files of ended sessions that are still to be recovered, up to 10,000."),
            one("pool.handles", "Leased handles that the shard has left for new files."),
            one("metafiles.written", "Files that sessions have open for writing."),
            one("metafiles.unlinked", "Files that sessions made and that have no name."),
            one("partitions.owned", "Partitions of split directories whose names are on the shard, up to 10,000."),
            one("partitions.directories", "Directories of the shard that have several partitions, up to 10,000."),
            one("partitions.giving", "Directories and partitions of the shard that give names to another shard now."),
            one("partitions.splits", "Partitions of the shard that gave half of their names to a new partition."),
            one("partitions.merges", "Partitions of the shard that gave all of their names and ended."),
            one("partitions.moves", "Partitions that the shard gave to another shard."),
            one("partitions.halvings", "Partitions of the shard that became two without a move of names."),
            one("partitions.kept", "Hand overs of names that the shard began and gave up."),
            one("partitions.moved.names", "Names in the hand overs that were done."),
            one("partitions.moved.micros", "How long the hand overs that were done took in all."),
            one("outbox.pending", "Notices that other shards are still to be told, up to 10,000."),
            one("intents.open", "Changes over several shards that are under way, up to 10,000."),
            one("intents.prepared", "Slots held for changes that other shards coordinate, up to 10,000."),
            // IO servers
            one("bytes.in", "in_bytes", "Payload of the requests that arrived."),
            one("bytes.out", "out_bytes", "Payload of the replies that were sent."),
            each("fsyncs.", "fsyncs", "of", "Syncs of data files and of their directories."),
            one("store.commits", "Commits of the store."),
            one("store.syncs", "Commits of the store that waited for the disk."),
            one("lane.batches", "Batches that lanes carried out."),
            one("lane.tasks", "Tasks in these batches."),
            one("disk.failures", "Syncs of data files that failed."),
            each("confirm.", "confirm", "outcome", "New datafiles that were asked about, by what became clear."),
            one("leases.granted", "Leases of handles that were granted."),
            one("leases.granted.handles", "Handles in these leases."),
            one("leases.reserved", "Leased handles that were given a datafile before its first write."),
            one("leases.used", "Datafiles of leases that turned out to be a file's."),
            one("leases.reclaimed", "Datafiles of leases that were removed because no file has them."),
            one("leases.ended", "Leases that are settled."),
            one("leases.conflicts", "Leased datafiles that two files list."),
            one("leases.unreadable", "Times that the row of a leased datafile could not be read."),
            one("leases.open", "Leases that have not ended."),
            one("leases.revoking", "Leases that are over and not settled yet."),
            one("leases.unused", "Leased handles that no file is known to have."),
            one("remove.foreign", "Datafiles that were not removed because another file has them."),
            one("remove.unreadable", "Datafiles that were not removed because their rows cannot be read."),
            one("space.capacity.bytes", "Size of the disk for datafiles."),
            one("space.free.bytes", "Free space of the disk for datafiles."),
            one("space.usable.bytes", "Bytes that writers may still store, the reserve left out."),
            one("space.stored.bytes", "Bytes of all datafiles."),
            one("reads.waiting", "Reads that wait for a thread."),
            one("datafiles.open", "Datafiles being written that are in memory."),
            one("datafiles.open.bytes", "Memory for bytes and checksums of these."),
            one("datafiles.unconfirmed", "New datafiles that no shard has confirmed yet, up to 10,000."),
            one("datafiles.about", "Datafiles, as the store estimates."),
            one("files.open", "Data files that are kept open."));

    private static final Map<String, MetricName> ONES = ALL.stream()
            .filter(name -> name.label().isEmpty())
            .collect(Collectors.toMap(MetricName::status, Function.identity()));

    private static final List<MetricName> FAMILIES =
            ALL.stream().filter(name -> name.label().isPresent()).toList();

    private MetricNames() {}

    /**
     * The metric that shows a number.
     *
     * @param status the number's name in STATUS, without the number of a shard
     */
    static Optional<MetricName> of(String status) {
        MetricName one = ONES.get(status);
        return one != null
                ? Optional.of(one)
                : FAMILIES.stream()
                        .filter(family -> status.startsWith(family.status()))
                        .findFirst();
    }
}

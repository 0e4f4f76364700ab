package io.steadfs.it.simulation;

import java.util.List;

/** Mistakes that a simulation must find. */
final class Mutants {
    private static final String MDS = "mds/src/main/java/io/steadfs/mds/";
    private static final String CLIENT = "fs-api/src/main/java/io/steadfs/client/";
    private static final String IO = "ioserver/src/main/java/io/steadfs/ioserver/";

    private static final String FSCK = "server/src/main/java/io/steadfs/fsck/";

    private static final String LEASE_ENDED = "if (refused.error() != FsError.LEASE_REVOKED || left == 0) {\n";

    static final List<Mutant> ALL = List.of(
            mutant("no fsync", MDS + "log/LocalLog.java", "store.commit(batch, true)", "store.commit(batch, false)"),
            new Mutant(
                    "reply before commit",
                    List.of(
                            new Mutant.Edit(
                                    MDS + "pipeline/ShardCore.java",
                                    "log.append(batch.records(), batch.overlay());",
                                    "batch.answer(); log.append(batch.records(), batch.overlay());"),
                            new Mutant.Edit(
                                    MDS + "pipeline/Batch.java",
                                    "decided.forEach(Decided::answer);",
                                    "decided.forEach(Decided::answer); decided.clear();"))),
            mutant(
                    "replies not recorded",
                    MDS + "call/RecordedOperation.java",
                    "records.add(new ReplyRecorded(session.id(), leg, kind, withoutMap(answer)));",
                    ""),
            mutant(
                    "decisions without overlay",
                    MDS + "pipeline/ShardCore.java",
                    "command.decide(batch.overlay(), now)",
                    "command.decide(log.committed(), now)"),
            mutant(
                    "no write generation",
                    IO + "op/WriteDatafile.java",
                    "if (request.getWriteGeneration() < datafile.leastGeneration()) {",
                    "if (request.getWriteGeneration() < 0) {"),
            new Mutant(
                    "attach not compared",
                    List.of(
                            new Mutant.Edit(
                                    MDS + "op/write/WrittenFile.java",
                                    "if (row.getWriteGeneration() != generation) {",
                                    "if (generation < 0) {"),
                            new Mutant.Edit(
                                    MDS + "op/write/WrittenFile.java",
                                    "if (!FileWriter.mayWrite(context.view(), session, handle, row)) {",
                                    "if (session == 0) {"),
                            new Mutant.Edit(
                                    MDS + "op/write/WrittenFile.java",
                                    "if (present == 0) {",
                                    "if (present != datafile.value()) {"))),
            new Mutant(
                    "undo on an unknown outcome",
                    List.of(
                            // What is not answered in time counts as refused: nobody asks on to know.
                            new Mutant.Edit(
                                    CLIENT + "create/UnnamedFile.java",
                                    "spec.recorded().settleOpening(session,",
                                    "spec.recorded().settleWithin(session,"),
                            new Mutant.Edit(CLIENT + "create/UnnamedFile.java", "if (!definite) {", "if (false) {"))),
            new Mutant(
                    "intent messages not numbered",
                    List.of(
                            // Numbers tell open intents apart, but begin again where none is open.
                            new Mutant.Edit(
                                    MDS + "intent/Intents.java", "    public static long next(ReadView view) {\n", """
                                        public static long next(ReadView view) {
                                            List<Long> open = numbers(view, 0, Integer.MAX_VALUE);
                                            if (view != null) {
                                                return open.isEmpty() ? 1 : open.get(open.size() - 1) + 1;
                                            }
                                    """),
                            new Mutant.Edit(
                                    MDS + "intent/PreparedSlots.java",
                                    "return intent >= floor(view, coordinator)\n",
                                    "return intent >= 0 || intent >= floor(view, coordinator)\n"))),
            mutant(
                    "flushed length not kept",
                    MDS + "metafile/Metafiles.java",
                    "setFlushedLength(flushed > length ? flushed : 0)",
                    "setFlushedLength(0)"),
            mutant(
                    "recovery without seal",
                    IO + "op/SealDatafiles.java",
                    "datafile.seal(request.getWriteGeneration());",
                    ""),
            new Mutant(
                    "handles reclaimed before all shards answered",
                    List.of(
                            new Mutant.Edit(
                                    IO + "duty/ReclaimLeases.java",
                                    "settled.size() < ShardCounts.of(map.get()).all()",
                                    "settled.isEmpty()"),
                            new Mutant.Edit(
                                    IO + "duty/ReclaimLeases.java", "settled.size() < counted", "settled.isEmpty()"))),
            mutant(
                    "handles listed behind their fence",
                    MDS + "op/layout/IndexedColumns.java",
                    "if (fenced.filter(each.datafile()::equals).isPresent()) {",
                    "if (false) {"),
            // Those of a create of which the client does not know what became.
            mutant("named handles put back", CLIENT + "create/LeasedColumns.java", LEASE_ENDED, LEASE_ENDED + """
                        if (refused.error().resolver() != io.steadfs.error.Resolver.CALLER) {
                            spec.leased().putBack(handles);
                        }
                    """),
            // Those of copies of ancestors.
            mutant(
                    "copies: changes do not wait",
                    MDS + "copy/ShardCopies.java",
                    "if (given.isAlone()) {",
                    "if (given.isAlone() || !given.isAlone()) {"),
            mutant("copies: a recall drops nothing", MDS + "op/copy/DropCopies.java", "held.recall(request);", ""),
            mutant(
                    "copies: an owner that starts forgets what it gave",
                    MDS + "copy/ShardCopies.java",
                    "if (shards > 1) {",
                    "if (shards > 100) {"),
            mutant(
                    "copies: used beyond their term",
                    MDS + "copy/HeldCopies.java",
                    "                    || copy.term().isOver(clock)\n                    || (needsMargin && copy.term().endsWithin(MARGIN, clock))) {",
                    "                    || (needsMargin && copy.number() < 0)) {"),
            mutant(
                    "copies: decisions pass names that are held",
                    MDS + "op/ground/PathSteps.java",
                    "if (context.decides()) {",
                    "if (context.decides() && purpose == WalkPurpose.CHANGE && i == path.depth() - 1) {"),
            mutant(
                    "copies: a recall is answered before earlier batches are durable",
                    MDS + "op/copy/DropCopies.java",
                    "return Decision.of(Reply.ok(RecallCopiesReply.getDefaultInstance()));",
                    "return new Decision<>(java.util.List.of(), Reply.ok(RecallCopiesReply.getDefaultInstance()), true);"),
            mutant(
                    "copies: an answer overtakes a recall",
                    MDS + "copy/HeldCopies.java",
                    " || recalledSince.contains(key)",
                    ""),
            mutant("copies: of a row that is held", MDS + "copy/GivenCopies.java", "known.holds > 0 || ", ""),
            mutant(
                    "copies: of a row whose recall is owed",
                    MDS + "copy/GivenCopies.java",
                    " || known.asked.contains(holder)",
                    ""),
            new Mutant(
                    "copies: the term counts from the answer",
                    List.of(
                            new Mutant.Edit(
                                    MDS + "copy/HeldCopies.java",
                                    "return new Term(askedNanos + nanos, askedWallMillis + millis, nanos);",
                                    "return new Term(clock.monotonicNanos() + nanos,"
                                            + " clock.wallMillis() + millis + askedNanos - askedNanos + askedWallMillis - askedWallMillis, nanos);"))),
            new Mutant(
                    "copies: of a name that another shard holds",
                    List.of(
                            new Mutant.Edit(MDS + "op/copy/GiveCopies.java", "!met.get().hasLock() && ", ""),
                            new Mutant.Edit(MDS + "op/copy/GiveCopies.java", " || noted.get().hasLock()", ""))),
            mutant("copies: read before they are noted", MDS + "op/copy/GiveCopies.java", """
                                if (!given.noteRow(directory, holder, goodMillis)) {
                                    changing = "directory " + directory;
                                    return false;
                                }
                                try (Store.Snapshot state = newest.get()) {
                    """, """
                                Store.Snapshot early = newest.get();
                                if (!given.noteRow(directory, holder, goodMillis)) {
                                    early.close();
                                    changing = "directory " + directory;
                                    return false;
                                }
                                try (Store.Snapshot state = early) {
                    """),
            mutant(
                    "copies: who may pass is not asked of them",
                    MDS + "op/ground/PathSteps.java",
                    "Permissions.require(context.principal(), foreign.get(), Permissions.EXECUTE, text.to(reached));\n            return;",
                    "return;"),
            mutant(
                    "copies: readers use newer ones than their view",
                    MDS + "copy/HeldCopies.java",
                    "if (copy.number() > newestAllowed) {",
                    "if (copy.number() > newestAllowed + 1_000_000) {"),
            mutant(
                    "copies: readers do not wait for a late batch",
                    MDS + "copy/ShardCopies.java",
                    "return published.isOver(clock);",
                    "return published == null;"),
            mutant(
                    "copies: a late batch is committed",
                    MDS + "copy/ShardCopies.java",
                    "return !use.end().isOver(clock);",
                    "return true;"),
            mutant(
                    "lookup: a change that may have been done is asked of another shard",
                    CLIENT + "call/RetryingCall.java",
                    "boolean mayMove = !doubtful || question.kind().target() == Kind.Target.MDS_READ;",
                    "boolean mayMove = doubtful || !doubtful;"),
            mutant(
                    "moves: all are admitted",
                    MDS + "op/intent/LockHierarchyPart.java",
                    "!other.getKey().isOfSameIntent(id) && mayCloseCycle",
                    "!other.getKey().isOfSameIntent(id) && other.getKey() == null && mayCloseCycle"),
            mutant(
                    "partitions: names are left behind",
                    MDS + "op/give/HandOver.java",
                    ".addAllNames(names)",
                    ".addAllNames(names.subList(0, names.size() / 2))"),
            mutant(
                    "partitions: what is given stays at the source",
                    MDS + "op/give/HandOver.java",
                    "records.add(new DirentGone(DirentKey.of(part.handle(), each.getName())));",
                    ""),
            mutant(
                    "partitions: the map changes before the decision",
                    MDS + "op/intent/HoldMapPart.java",
                    "new MapEntrySet(directory(), entry.lockedBy(id.lock(), role()))",
                    "new MapEntrySet(directory(), new MapEntry(given(), false))"),
            mutant(
                    "partitions: one that moves home is not in the map",
                    MDS + "op/intent/TakePartitionPart.java",
                    "records.add(new MapEntrySet(directory(), new MapEntry(moved, false)));",
                    ""),
            mutant(
                    "partitions: all names of a directory go with one of its partitions",
                    MDS + "op/give/HandOver.java",
                    "return moves() && part.isOnly();",
                    "return moves();"),
            new Mutant(
                    "partitions: held names are given",
                    List.of(
                            new Mutant.Edit(MDS + "op/give/GivenRange.java", "isHeld |= scan.row().hasLock();", ""),
                            new Mutant.Edit(MDS + "op/intent/TakePartitionPart.java", "row.hasLock() || ", ""))),
            mutant(
                    "partitions: the new one is not in the map",
                    MDS + "op/intent/HoldMapPart.java",
                    "records.add(new MapEntrySet(directory(), new MapEntry(given(), false)));",
                    ""),
            mutant(
                    "partitions: a new one stays when its directory goes",
                    MDS + "op/intent/HoldMapPart.java",
                    "if (isGone) {",
                    "if (isGone && records == null) {"),
            mutant(
                    "partitions: merged names are dropped",
                    MDS + "op/intent/MergeNamesPart.java",
                    "records.add(new DirentSet(scan.dirent().in(stays), scan.row()));",
                    ""),
            mutant(
                    "partitions: a merged one stays in the map",
                    MDS + "op/intent/MergeMapPart.java",
                    "List.of(merge.stayed(), merge.ended())",
                    "List.of(merge.ended())"),
            mutant(
                    "partitions: what is given counts as nothing",
                    MDS + "op/ground/Emptiness.java",
                    "directory.row().hasGiving()\n                || DirectoryPartitions.areHeld(directory, context)\n"
                            + "                || DirectoryPartitions.isHeld(directory, context)",
                    "directory.row() == null"),
            mutant(
                    "shards: tries of one leg go to several when one is added",
                    CLIENT + "call/RetryingCall.java",
                    "destination = destination.pinned(cluster);",
                    ""),
            checked("check: what the outbox has is forgotten", FSCK + "NameVerdict.java", "|| seen.noticed()\n", ""),
            checked(
                    "check: datafiles that are about to go count as leaked",
                    FSCK + "DatafileRecheck.java",
                    "&& !first.queued().contains(datafile)\n",
                    ""));

    private Mutants() {}

    /** Of the check, which then finds what is not so. */
    private static Mutant checked(String name, String source, String from, String to) {
        return new Mutant(name, List.of(new Mutant.Edit(source, from, to)), true);
    }

    private static Mutant mutant(String name, String source, String from, String to) {
        return new Mutant(name, List.of(new Mutant.Edit(source, from, to)));
    }
}

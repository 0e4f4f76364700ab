package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckObjectsReply;
import io.steadfs.wire.proto.CheckObjectsRequest;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.ScanEntriesReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Looks again at suspected objects, many at a time, so that no operation in progress becomes a finding. Each look has
 * eight steps:
 *
 * <pre>
 *  1  all shards       watch which of the objects get a name from now on
 *  2  all shards       all names, to find the names of objects that seem nameless
 *  3  shards of names  the names
 *  4  shards of objects  the objects
 *  5  shards of names  the names
 *  6  all shards       messages, not yet delivered, that an object lost its name
 *  7  shards of objects  the objects
 *  8  all shards       which of the objects got a name
 * </pre>
 *
 * <p>An object has no name if step 2 finds no name and the object gets no name between steps 1 and 8. Step 2 would have
 * found a name that is older than step 1.
 *
 * <p>A nameless object becomes a finding if no server will remove the object. No server will remove an object if three
 * conditions hold. First, the object exists at step 7. Second, no message about the loss of the object's name is
 * pending at step 6. Third, no operation over several shards holds the object.
 *
 * <p>A name dangles if steps 3 and 5 show the same name and its object does not exist at step 4. An object is made no
 * later than its name and removed no earlier than its name.
 *
 * <p>An object has two names if steps 3 and 5 show the same two names. No rename can cause this result by mistake. A
 * rename between steps 3 and 5 gives the object a name, and step 8 reports this name. A rename that began before step 3
 * still holds the old name, and the check sees the hold.
 *
 * <p>If an object got a name between steps 1 and 8, the check looks at the object again in another round. If an
 * operation holds an object, the check also looks at the object again in another round.
 */
final class NameRecheck implements Stage {
    private static final int MOST_OBJECTS = 20_000;
    private static final int MOST_WATCHED = 100_000;
    private static final int MESSAGE = 1_000;
    private static final int ROUNDS = 20;
    private static final long PAUSE_MILLIS = 250;
    private static final long SETTLE_MILLIS = 10;
    private static final int MOST_SETTLE_LOOKS = 6_000;

    private final CheckedServers servers;
    private final int pageRows;

    NameRecheck(CheckedServers servers, int pageRows) {
        this.servers = servers;
        this.pageRows = pageRows;
    }

    @Override
    public String name() {
        return "suspected names again";
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        Handle behind = Handle.NONE;
        for (int round = 0; round < ROUNDS; round++) {
            Map<Handle, Suspect> suspects = suspects(work, behind);
            if (suspects.isEmpty()) {
                if (work.isEmpty(WorkTables.SUSPECT)) {
                    return;
                }
                // All remaining suspects changed during the last look. The next round begins again with the first
                // suspect.
                behind = Handle.NONE;
                servers.pause(PAUSE_MILLIS);
                continue;
            }
            for (Suspect each : suspects.values()) {
                behind = behind.compareTo(each.object()) < 0 ? each.object() : behind;
            }
            try {
                int settled = look(work, suspects, pace);
                round = settled > 0 ? -1 : round;
            } catch (FsException e) {
                if (e.error() != FsError.NOT_FOUND) {
                    throw e;
                }
                // A shard was restarted and has forgotten the watch. So the next round looks at all suspects again.
                behind = Handle.NONE;
            }
        }
    }

    /** The number of objects about which the check has not decided, because they changed during every look. */
    static long undecided(Work work) {
        long count = 0;
        try (ReadView.Cursor cursor = work.scan(WorkTables.SUSPECT, new byte[0])) {
            while (cursor.next()) {
                count++;
            }
        }
        return count;
    }

    private static Map<Handle, Suspect> suspects(Work work, Handle behind) {
        Map<Handle, Suspect> suspects = new LinkedHashMap<>();
        long objects = 0;
        byte[] from = behind.isNone() ? new byte[0] : Work.key(new Handle(behind.value() + 1));
        try (ReadView.Cursor cursor = work.scan(WorkTables.SUSPECT, from)) {
            while (objects < MOST_OBJECTS && cursor.next()) {
                Suspect suspect = Suspect.decode(Work.handleIn(cursor.key()), cursor.value());
                objects += 1 + suspect.above().size();
                if (suspects.isEmpty() || objects <= MOST_WATCHED) {
                    suspects.put(suspect.object(), suspect);
                }
            }
        }
        return suspects;
    }

    /** Returns the number of suspects that were decided. */
    private int look(Work work, Map<Handle, Suspect> suspects, Pace pace) throws IOException {
        Set<Handle> objects = new LinkedHashSet<>(suspects.keySet());
        suspects.values().forEach(each -> objects.addAll(each.above()));
        Set<Handle> nameless = new HashSet<>();
        suspects.values().stream()
                .filter(each -> each.why() == Suspect.Why.NAMELESS)
                .forEach(each -> nameless.add(each.object()));

        Watch watch = Watch.begin(servers, objects);
        for (int looked = 0; !watch.isSettled(); looked++) {
            if (looked == MOST_SETTLE_LOOKS) {
                throw new FsException(FsError.UNAVAILABLE, "a shard does not bring what it decided to its end");
            }
            servers.pause(SETTLE_MILLIS);
            pace.did(0, 0);
        }
        Names names = new Names();
        for (Handle object : objects) {
            Links.of(work, object).forEach(link -> names.add(link.shard(), link.key()));
        }
        // If the row of a name cannot be read, the row may be the name of an object that seems nameless.
        boolean allNames = nameless.isEmpty() || addAll(nameless::contains, names, pace);
        Map<Names.Place, CheckedEntry> first = entries(names);
        Map<Handle, CheckedObject> before = objects(objects);
        Map<Names.Place, CheckedEntry> second = entries(names);
        Set<Handle> noticed = noticed(objects);
        Map<Handle, CheckedObject> after = objects(objects);
        Set<Handle> touched = watch.end();

        Map<Handle, List<NameVerdict.Name>> namesOf = new HashMap<>();
        first.forEach((place, entry) -> {
            CheckedEntry then = second.get(place);
            if (then != null && then.getObject() == entry.getObject()) {
                boolean held = entry.getHeld() || then.getHeld();
                namesOf.computeIfAbsent(new Handle(entry.getObject()), unused -> new ArrayList<>())
                        .add(new NameVerdict.Name(
                                place.shard(), then.toBuilder().setHeld(held).build()));
            }
        });
        Map<Handle, NameVerdict.Seen> seen = new HashMap<>();
        for (Handle object : objects) {
            seen.put(
                    object,
                    new NameVerdict.Seen(
                            Optional.ofNullable(before.get(object)),
                            Optional.ofNullable(after.get(object)),
                            namesOf.getOrDefault(object, List.of()),
                            allNames && nameless.contains(object),
                            noticed.contains(object),
                            touched.contains(object)));
        }
        return decide(work, suspects, seen);
    }

    private static int decide(Work work, Map<Handle, Suspect> suspects, Map<Handle, NameVerdict.Seen> seen)
            throws IOException {
        int decided = 0;
        try (WorkBatch batch = work.batch()) {
            for (Suspect suspect : suspects.values()) {
                List<NameVerdict.Seen> all = new ArrayList<>();
                suspect.above().forEach(each -> all.add(Objects.requireNonNull(seen.get(each))));
                NameVerdict.Seen own = Objects.requireNonNull(seen.get(suspect.object()));
                if (!own.isSettled() || !all.stream().allMatch(NameVerdict.Seen::isSettled)) {
                    continue;
                }
                NameVerdict.of(suspect.object(), own).forEach(batch::found);
                if (suspect.why() == Suspect.Why.BELOW_ITSELF) {
                    NameVerdict.ofRing(suspect.above(), all).forEach(batch::found);
                }
                batch.cleared(suspect.object());
                decided++;
            }
            batch.commit();
        }
        return decided;
    }

    /**
     * Searches all shards for names that lead to certain objects. Adds each such name to {@code names}. Returns whether
     * all names could be read.
     */
    private boolean addAll(Predicate<Handle> objects, Names names, Pace pace) throws IOException {
        boolean all = true;
        for (int shard = 0; shard < servers.shards(); shard++) {
            all &= addAll(objects, shard, false, names, pace);
            all &= addAll(objects, shard, true, names, pace);
        }
        return all;
    }

    private boolean addAll(Predicate<Handle> objects, int shard, boolean isOfMaps, Names names, Pace pace)
            throws IOException {
        boolean all = true;
        ScannedShard scanned = new ScannedShard(servers, shard, pageRows);
        ByteString after = ByteString.EMPTY;
        boolean more = true;
        while (more) {
            ScanEntriesReply page = NameScan.page(scanned, isOfMaps, after);
            for (CheckedEntry entry : page.getEntriesList()) {
                if (objects.test(new Handle(entry.getObject()))) {
                    names.add(shard, entry.getKey());
                }
            }
            all &= page.getUnreadableCount() == 0;
            after = page.getLast();
            more = page.getMore();
            pace.did(page.getEntriesCount(), 0);
        }
        return all;
    }

    private Map<Names.Place, CheckedEntry> entries(Names names) throws FsException {
        Map<Names.Place, CheckedEntry> entries = new HashMap<>();
        for (Map.Entry<Integer, Set<ByteString>> each : names.byShard().entrySet()) {
            int shard = each.getKey();
            for (List<ByteString> part : parts(each.getValue())) {
                CheckObjectsRequest request =
                        CheckObjectsRequest.newBuilder().addAllEntries(part).build();
                ask(shard, request)
                        .getEntriesList()
                        .forEach(entry -> entries.put(new Names.Place(shard, entry.getKey()), entry));
            }
        }
        return entries;
    }

    private Map<Handle, CheckedObject> objects(Set<Handle> asked) throws FsException {
        int shards = servers.shards();
        Map<Integer, List<Long>> byShard = new TreeMap<>();
        for (Handle each : asked) {
            if (each.isOwnedByShard() && each.shard() < shards) {
                byShard.computeIfAbsent(each.shard(), unused -> new ArrayList<>())
                        .add(each.value());
            }
        }
        Map<Handle, CheckedObject> objects = new HashMap<>();
        for (Map.Entry<Integer, List<Long>> each : byShard.entrySet()) {
            for (List<Long> part : parts(each.getValue())) {
                CheckObjectsRequest request =
                        CheckObjectsRequest.newBuilder().addAllObjects(part).build();
                ask(each.getKey(), request)
                        .getObjectsList()
                        .forEach(object -> objects.put(new Handle(object.getHandle()), object));
            }
        }
        return objects;
    }

    private Set<Handle> noticed(Set<Handle> asked) throws FsException {
        List<Long> values = asked.stream().map(Handle::value).toList();
        Set<Handle> noticed = new HashSet<>();
        for (int shard = 0; shard < servers.shards(); shard++) {
            for (List<Long> part : parts(values)) {
                CheckObjectsRequest request =
                        CheckObjectsRequest.newBuilder().addAllObjects(part).build();
                ask(shard, request).getNoticedList().forEach(value -> noticed.add(new Handle(value)));
            }
        }
        return noticed;
    }

    private CheckObjectsReply ask(int shard, CheckObjectsRequest request) throws FsException {
        return servers.askShard(shard, Kind.CHECK_OBJECTS, request, CheckObjectsReply.class);
    }

    private static <T> List<List<T>> parts(Iterable<T> all) {
        List<List<T>> parts = new ArrayList<>();
        for (T each : all) {
            if (parts.isEmpty() || parts.get(parts.size() - 1).size() == MESSAGE) {
                parts.add(new ArrayList<>());
            }
            parts.get(parts.size() - 1).add(each);
        }
        return parts;
    }
}

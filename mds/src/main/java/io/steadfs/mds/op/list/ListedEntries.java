package io.steadfs.mds.op.list;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Gathering;
import io.steadfs.mds.op.ground.LockedName;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.RemoteAttributes;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Sources;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.FileType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Entries of one page of a listing, in order, wherever their objects are. What other shards have to say of them is asked
 * of all of those at once, in {@link #find}; a name that is gone by then is left out, one that was replaced is looked at
 * again.
 */
final class ListedEntries {
    /** What an entry takes in a page whose attributes are not here, in bytes; roughly. */
    private static final int BYTES_ELSEWHERE = 160;

    private final Context context;
    private final boolean wantLayout;
    private final Gathering gathering;
    private final RemoteAttributes remote;
    private final List<Listed> listed = new ArrayList<>();

    /** An entry that is complete but for attributes from another shard; those of {@code elsewhere} then. */
    private record Listed(Entry entry, Optional<Elsewhere> elsewhere) {}

    /** Where a name is, and where it leads. */
    private record Elsewhere(DirentKey key, Handle object) {}

    /** Something is not of this shard alone: a held name, or an object at another shard. */
    private boolean elsewhere;

    ListedEntries(boolean wantLayout, Context context) {
        this.context = context;
        this.wantLayout = wantLayout;
        this.gathering = new Gathering(context);
        this.remote = new RemoteAttributes(wantLayout);
    }

    Context context() {
        return context;
    }

    /** Whether the rows of this shard say all. */
    boolean areAllHere() {
        return !elsewhere;
    }

    /** What says it, of entries that are all here and all in the directory. */
    Sources sources(Handle directory) {
        Sources sources = new Sources();
        sources.add(ShardTables.DIRENT, directory.value());
        for (Listed each : listed) {
            sources.add(ShardTables.INODE, each.entry().getAttributes().getHandle());
        }
        for (Listed each : listed) {
            if (each.entry().getAttributes().getType() == FileType.DIRECTORY) {
                sources.add(ShardTables.PARTITION, each.entry().getAttributes().getHandle());
            }
        }
        return sources;
    }

    /** Whether a rename of another shard took the name away; no while that is yet to be asked. */
    boolean isGone(DirentRow dirent, String what) throws Refused {
        elsewhere |= dirent.hasLock();
        return LockedName.isGone(dirent, what, gathering);
    }

    /** As {@link #isGone}; yes while that is yet to be asked: nothing below it may be a reason to refuse then. */
    boolean mayBeGone(DirentRow dirent, String what) throws Refused {
        return LockedName.mayBeGone(dirent, what, gathering);
    }

    /**
     * Adds an entry whose name is there.
     *
     * @param name as it is listed
     * @param key of the dirent
     * @return about how many bytes it takes; 0 if nothing was added, because its object went with a held name
     */
    int add(String name, DirentKey key, DirentRow dirent, NamedObject object) {
        elsewhere |= dirent.hasLock() || !object.isHere(context);
        if (object.isHere(context)) {
            return dirent.hasLock() && !object.exists(context) ? 0 : add(name, object);
        }
        remote.add(object.handle());
        listed.add(new Listed(
                Entry.newBuilder()
                        .setName(name)
                        .setElsewhere(object.directory())
                        .build(),
                Optional.of(new Elsewhere(key, object.handle()))));
        return name.length() + BYTES_ELSEWHERE;
    }

    private int add(String name, NamedObject object) {
        Entry entry = Entry.newBuilder()
                .setName(name)
                .setAttributes(object.node(context).attributes(context.view(), wantLayout))
                .build();
        listed.add(new Listed(entry, Optional.empty()));
        return entry.getSerializedSize();
    }

    /** Adds a directory of another shard by its handle alone. */
    int addElsewhere(String name, Handle directory) {
        Entry entry = Entry.newBuilder()
                .setName(name)
                .setAttributes(
                        Attributes.newBuilder().setHandle(directory.value()).setType(FileType.DIRECTORY))
                .setElsewhere(true)
                .build();
        listed.add(new Listed(entry, Optional.empty()));
        return entry.getSerializedSize();
    }

    /** @throws io.steadfs.mds.pipeline.Missing while something is yet to be asked */
    List<Entry> find() throws Refused {
        Map<Handle, Attributes> attributes = remote.find(gathering);
        gathering.settle();
        Map<DirentKey, Attributes> replaced = new ReplacedNames(wantLayout, context).find(gone(attributes.keySet()));
        List<Entry> entries = new ArrayList<>(listed.size());
        for (Listed each : listed) {
            if (each.elsewhere().isEmpty()) {
                entries.add(each.entry());
            } else {
                Elsewhere elsewhere = each.elsewhere().get();
                Optional.ofNullable(attributes.get(elsewhere.object()))
                        .or(() -> Optional.ofNullable(replaced.get(elsewhere.key())))
                        .ifPresent(found -> entries.add(each.entry().toBuilder()
                                .setAttributes(found)
                                .setElsewhere(found.getType() == FileType.DIRECTORY)
                                .build()));
            }
        }
        return entries;
    }

    private Map<DirentKey, Handle> gone(Set<Handle> there) {
        Map<DirentKey, Handle> gone = new LinkedHashMap<>();
        for (Listed each : listed) {
            each.elsewhere()
                    .filter(elsewhere -> !there.contains(elsewhere.object()))
                    .ifPresent(elsewhere -> gone.put(elsewhere.key(), elsewhere.object()));
        }
        return gone;
    }
}

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
 * The entries of one page of a listing, in order, whether their objects are here or at other shards. The other shards are
 * asked all at once, in {@link #find}. A name that is gone by then is left out. A name that was replaced is looked up again.
 */
final class ListedEntries {
    /** Rough size in a page of an entry whose attributes are at another shard, in bytes. */
    private static final int BYTES_ELSEWHERE = 160;

    private final Context context;
    private final boolean wantLayout;
    private final Gathering gathering;
    private final RemoteAttributes remote;
    private final List<Listed> listed = new ArrayList<>();

    /** An entry. If {@code elsewhere} is present, the attributes from another shard are still missing. */
    private record Listed(Entry entry, Optional<Elsewhere> elsewhere) {}

    /** A name, and the object at another shard to which it leads. */
    private record Elsewhere(DirentKey key, Handle object) {}

    /** Whether something depends on another shard: a held name, or an object there. */
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

    /** Whether the rows of this shard alone give all entries. */
    boolean areAllHere() {
        return !elsewhere;
    }

    /** The rows from which the entries follow. Only for entries whose names are all in the directory and whose objects are all here. */
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

    /** Whether a rename of another shard has taken the name away. False while that shard must still be asked. */
    boolean isGone(DirentRow dirent, String what) throws Refused {
        elsewhere |= dirent.hasLock();
        return LockedName.isGone(dirent, what, gathering);
    }

    /** Like {@link #isGone}, but true while that shard must still be asked. Until then nothing below the name may be a reason to refuse. */
    boolean mayBeGone(DirentRow dirent, String what) throws Refused {
        return LockedName.mayBeGone(dirent, what, gathering);
    }

    /**
     * Adds an entry whose name exists.
     *
     * @param name the name as it is listed
     * @param key key of the dirent
     * @return about how many bytes the entry takes; 0 if nothing was added, because the name is held and its object is gone
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

    /** Adds a directory of another shard with only its handle. */
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

    /** @throws io.steadfs.mds.pipeline.Missing if other shards must still be asked */
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

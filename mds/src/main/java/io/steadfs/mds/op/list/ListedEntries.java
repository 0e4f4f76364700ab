package io.steadfs.mds.op.list;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Described;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.DirectoryPartitions;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.Gathering;
import io.steadfs.mds.op.ground.LockedName;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.PartitionCounts;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Collects the entries of one page of a listing, in order. The object of an entry may be on this shard or on another
 * one. {@link #find} asks all other shards at the same time. Names that no longer exist are left out. A name that leads
 * to another object meanwhile is looked up again.
 */
final class ListedEntries {
    /** Estimated size of an entry whose attributes are on another shard, in bytes. */
    private static final int BYTES_ELSEWHERE = 160;

    private final Context context;
    private final boolean wantLayout;
    private final Gathering gathering;
    private final RemoteAttributes remote;
    private final List<Listed> listed = new ArrayList<>();

    /**
     * An entry of the page.
     *
     * @param elsewhere if present, another shard must still send the attributes of the entry
     * @param split if present, other shards must still send what partitions of this directory count
     */
    private record Listed(Entry entry, Optional<Elsewhere> elsewhere, Optional<DirectoryNode> split) {}

    /** The key of a name, and the object on another shard to which the name leads. */
    private record Elsewhere(DirentKey key, Handle object) {}

    /** Whether an entry depends on another shard, because its name is held or its object is on another shard. */
    private boolean elsewhere;

    /** Whether an entry is open by a claim, which can end without a change of a row. */
    private boolean claimed;

    ListedEntries(boolean wantLayout, Context context) {
        this.context = context;
        this.wantLayout = wantLayout;
        this.gathering = new Gathering(context);
        this.remote = new RemoteAttributes(wantLayout);
    }

    Context context() {
        return context;
    }

    /** Whether all entries were made from rows of this shard's store alone. */
    boolean areOfRows() {
        return !elsewhere && !claimed;
    }

    /**
     * The rows from which the entries were made. All names must be in the directory, and all objects must be on this
     * shard.
     */
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

    /**
     * Whether a rename of another shard has taken the name away. The result is false until the other shard has
     * answered.
     */
    boolean isGone(DirentRow dirent, String what) throws Refused {
        elsewhere |= dirent.hasLock();
        return LockedName.isGone(dirent, what, gathering);
    }

    /**
     * Like {@link #isGone}, but the result is true until the other shard has answered. While a name may be gone, the
     * caller must not refuse the listing because of anything below the name.
     */
    boolean mayBeGone(DirentRow dirent, String what) throws Refused {
        return LockedName.mayBeGone(dirent, what, gathering);
    }

    /**
     * Adds an entry for a name that exists.
     *
     * @param name the name as it is listed
     * @param key key of the dirent
     * @return about how many bytes the entry takes; 0 if nothing was added, because the name is held and its object is
     *     gone
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
                Optional.of(new Elsewhere(key, object.handle())),
                Optional.empty()));
        return name.length() + BYTES_ELSEWHERE;
    }

    private int add(String name, NamedObject object) {
        Described found = object.described(context);
        if (found instanceof DirectoryNode directory && !DirectoryNode.hasOnePartition(directory.row())) {
            elsewhere = true;
            listed.add(new Listed(
                    Entry.newBuilder()
                            .setName(name)
                            .setElsewhere(!DirectoryPartitions.areHere(directory, context))
                            .build(),
                    Optional.empty(),
                    Optional.of(directory)));
            return name.length() + BYTES_ELSEWHERE;
        }
        Attributes attributes = found.attributes(context.view(), wantLayout);
        claimed |= attributes.getOpen()
                && found instanceof FileNode file
                && file.row().getUntouchedSession() != 0;
        Entry entry = Entry.newBuilder().setName(name).setAttributes(attributes).build();
        listed.add(new Listed(entry, Optional.empty(), Optional.empty()));
        return entry.getSerializedSize();
    }

    /** Adds a directory of another shard, with no other attributes than its handle and type. */
    int addElsewhere(String name, Handle directory) {
        Entry entry = Entry.newBuilder()
                .setName(name)
                .setAttributes(
                        Attributes.newBuilder().setHandle(directory.value()).setType(FileType.DIRECTORY))
                .setElsewhere(true)
                .build();
        listed.add(new Listed(entry, Optional.empty(), Optional.empty()));
        return entry.getSerializedSize();
    }

    /** @throws io.steadfs.mds.pipeline.Missing if another shard must still answer */
    List<Entry> find() throws Refused {
        Map<Handle, Attributes> attributes = remote.find(gathering);
        List<DirectoryNode> split =
                listed.stream().flatMap(each -> each.split().stream()).toList();
        PartitionCounts.of(split, context, gathering)
                .ifPresent(counts -> split.forEach(directory -> attributes.put(
                        directory.handle(),
                        Objects.requireNonNull(counts.get(directory.handle())).attributes(directory))));
        gathering.settle();
        Map<DirentKey, Attributes> replaced = new ReplacedNames(wantLayout, context).find(gone(attributes.keySet()));
        List<Entry> entries = new ArrayList<>(listed.size());
        for (Listed each : listed) {
            if (each.split().isPresent()) {
                Attributes counted =
                        Objects.requireNonNull(attributes.get(each.split().get().handle()));
                entries.add(each.entry().toBuilder().setAttributes(counted).build());
            } else if (each.elsewhere().isEmpty()) {
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

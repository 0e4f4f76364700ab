package io.steadfs.mds.op.name;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.EntryCount;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Placement;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes the records for a name that a file is about to get, except the dirent. The records remove a replaced file, make
 * missing parents, and change the directory's number of entries. CreateFile and LinkFile share this class.
 */
final class NewName {
    /** The permission bits without the sticky bit, which new parents do not get from the directory above. */
    private static final int PERMISSION_BITS = 0777;

    private final Context context;
    private final PathWalk walk;
    private final NameSpec spec;
    private final NewHandles handles;
    private final List<LogRecord> records = new ArrayList<>();
    private Optional<NewDirectories> directories = Optional.empty();

    /**
     * What a request asks for.
     *
     * @param overwrite whether an existing file may be replaced
     * @param createParents whether missing parents are made
     * @param parentMode permission bits of new parents
     * @param parentsAsAbove whether new parents get the permission bits of the deepest existing directory instead of
     *     {@code parentMode}
     */
    record NameSpec(
            Location location, boolean overwrite, boolean createParents, int parentMode, boolean parentsAsAbove) {}

    private NewName(NameSpec spec, PathWalk walk, Context context) {
        this.spec = spec;
        this.walk = walk;
        this.context = context;
        this.handles = new NewHandles(context);
    }

    /** Walks towards the name, as far as the path exists, and where a symbolic link with this name leads. */
    static NewName at(NameSpec spec, Context context) throws Refused {
        return new NewName(spec, PathWalk.toMake(spec.location(), context), context);
    }

    /** As {@link #at}, but a symbolic link with this name is not followed. */
    static NewName atItself(NameSpec spec, Context context) throws Refused {
        return new NewName(spec, PathWalk.toChange(spec.location(), context), context);
    }

    /** Whether the name already leads to the file. */
    boolean leadsTo(Handle file) {
        return walk.isFound() && !walk.isStart() && walk.object().equals(file);
    }

    /**
     * Frees the name and makes its missing parents.
     *
     * @return the key of the name; empty if the caller must answer {@link #goOn}
     */
    Optional<DirentKey> take(Placement placement) throws Refused {
        int parentMode = spec.parentsAsAbove()
                ? walk.parentRow().getMode() & PERMISSION_BITS
                : Permissions.checkMode(spec.parentMode());
        if (walk.isFound()) {
            replace();
        } else if (!walk.isParentFound() && !spec.createParents()) {
            throw walk.notFound();
        } else {
            Permissions.require(context.principal(), walk.parentRow(), Permissions.WRITE, walk.textTo(walk.reached()));
        }
        records.add(EntryCount.changed(context, walk.key(), walk.parentRow(), walk.isFound() ? 0 : 1));
        NewDirectories made = new NewDirectories(context, placement, walk, false, handles, records);
        directories = Optional.of(made);
        return made.makeParents(parentMode) ? Optional.of(made.lastKey()) : Optional.empty();
    }

    private void replace() throws Refused {
        if (walk.isDirectory()) {
            throw new Refused(FsError.IS_A_DIRECTORY, walk.text() + " is a directory");
        }
        if (!spec.overwrite()) {
            throw new Refused(FsError.ALREADY_EXISTS, walk.text() + " exists");
        }
        if (walk.isStart()) {
            throw new Refused(FsError.INVALID_ARGUMENT, walk.text() + " names no entry of a directory");
        }
        Permissions.require(context.principal(), walk.parentRow(), Permissions.WRITE, walk.textTo(walk.reached()));
        NamedObject old = walk.named();
        if (!context.principal().superuser()) {
            Permissions.require(context.principal(), old.guard(context), Permissions.WRITE, walk.text());
        }
        Removal.unlinked(old, context, records);
    }

    /** The decision with everything that was made so far. The reply has the place where the client goes on. */
    Decision<Reply> goOn(Kind kind) {
        records.add(handles.raised());
        return directories.orElseThrow().goOn(kind);
    }

    /** The group of the directory, which the files in the directory also get. */
    String group() {
        return walk.parentRow().getGroup();
    }

    /**
     * The directory's hint that names a create protocol for files in the directory; empty if the directory has no hint
     * or is new.
     */
    String protocolHint() {
        return walk.isFound() || walk.isParentFound() ? walk.protocolHint() : "";
    }

    /** The source of handles for other objects that the decision makes. */
    NewHandles handles() {
        return handles;
    }

    /** All records so far, including the record of the handles that were taken. */
    List<LogRecord> records() {
        List<LogRecord> all = new ArrayList<>(records);
        all.add(handles.raised());
        return all;
    }
}

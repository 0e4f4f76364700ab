package io.steadfs.mds.op.name;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileLinked;
import io.steadfs.mds.session.Session;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.StatHandlesReply;
import java.util.List;

/** Checks and changes a metafile that was made without a name and is about to get a name. */
public final class LinkedFile {
    private LinkedFile() {}

    /** Records that mark a file of this shard as named; none if the file had a name before. */
    public static List<LogRecord> records(Handle file, MetafileRow row, String group) {
        if (row.getUnlinkedSession() == 0) {
            return List.of();
        }
        MetafileRow.Builder linked = row.toBuilder().setUnlinkedSession(0).setVersion(row.getVersion() + 1);
        if (row.getGroup().isEmpty()) {
            linked.setGroup(group);
        }
        return List.of(new MetafileSet(file, linked.build()), new FileLinked(row.getUnlinkedSession(), file));
    }

    /**
     * The row of a file of this shard. Refuses a file that has a name. Also refuses a file that another session made.
     */
    static MetafileRow here(Handle file, Context context) throws Refused {
        MetafileRow row = Metafiles.find(context.view(), file).orElseThrow(() -> removed(file));
        requireUnlinked(file, row.getUnlinkedSession(), context);
        return row;
    }

    /**
     * Asks another shard about a file of that shard, and refuses the same files as {@link #here}. The other shard
     * learns of a name only after the name was made. If this shard made the name, this shard's outbox shows the name
     * earlier. If a third shard made the name a moment ago, the name is not noticed.
     */
    static void requireUnlinkedElsewhere(Handle file, Context context) throws Refused {
        if (Outbox.holdsLinked(context.view(), file)) {
            throw hasName(file);
        }
        StatHandlesReply found =
                context.body(Facts.attributes(file.shard(), List.of(file), false), StatHandlesReply.class);
        if (found.getAttributesCount() == 0 || found.getAttributes(0).getType() != FileType.FILE) {
            throw removed(file);
        }
        requireUnlinked(
                file, found.getUnlinkedCount() == 0 ? 0 : found.getUnlinked(0).getSession(), context);
    }

    private static void requireUnlinked(Handle file, long maker, Context context) throws Refused {
        if (maker == 0) {
            throw hasName(file);
        }
        long session = context.principal().session();
        if (maker != session) {
            throw new Refused(
                    FsError.NOT_WRITER,
                    "metafile " + file + " was made by session " + Session.name(maker) + ", not by "
                            + Session.name(session));
        }
    }

    private static Refused removed(Handle file) {
        return new Refused(FsError.NOT_FOUND, "metafile " + file + " was removed");
    }

    private static Refused hasName(Handle file) {
        return new Refused(FsError.INVALID_ARGUMENT, "metafile " + file + " has a name");
    }
}

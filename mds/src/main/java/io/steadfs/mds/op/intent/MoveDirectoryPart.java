package io.steadfs.mds.op.intent;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.MoveDirectory;
import io.steadfs.wire.proto.PrepareReply;
import java.util.List;

/**
 * Gives a directory another parent when the intent commits. The participant holds nothing for this action. The rename
 * that moves the directory already holds the directory's name, and shard 0 admits no other move of it.
 */
record MoveDirectoryPart(MoveDirectory request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        Handle directory = new Handle(request.getDirectory());
        DirectoryRow row = ParticipantRows.directory(directory, context);
        return new Held(
                List.of(),
                PrepareReply.newBuilder()
                        .setAttributes(new DirectoryNode(directory, row).attributesHere(context.view()))
                        .build());
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        Handle directory = new Handle(request.getDirectory());
        return Directories.find(context.view(), directory)
                .<LogRecord>map(row -> new DirectorySet(
                        directory,
                        row.toBuilder().setParent(request.getParent()).build()))
                .stream()
                .toList();
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        return List.of();
    }
}

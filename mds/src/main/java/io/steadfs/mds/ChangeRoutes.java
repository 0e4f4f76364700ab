package io.steadfs.mds;

import com.google.protobuf.MessageLite;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.mds.call.Routes;
import io.steadfs.mds.op.attribute.*;
import io.steadfs.mds.op.copy.*;
import io.steadfs.mds.op.ground.NamespaceLimits;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.ground.UnlessDiskFull;
import io.steadfs.mds.op.ground.WithinNameLimits;
import io.steadfs.mds.op.intent.*;
import io.steadfs.mds.op.layout.*;
import io.steadfs.mds.op.mend.*;
import io.steadfs.mds.op.name.*;
import io.steadfs.mds.op.rename.*;
import io.steadfs.mds.op.session.*;
import io.steadfs.mds.op.write.*;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.session.FileLimits;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.*;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The operations that change something, one for each kind of request. Each operation comes with checks of the limits
 * that apply to its request.
 */
final class ChangeRoutes {
    static final ConfigKey<Long> SPREAD_DEPTH = ConfigKey.number(
            "stead.mkdir.spread.depth",
            2,
            0,
            1000,
            "",
            "New directories at this depth or less are dealt out over the metadata shards; deeper ones stay with their"
                    + " parent.");

    private final FileLimits fileLimits;
    private final NamespaceLimits nameLimits;
    private final PartitionLimits partitionLimits;

    private ChangeRoutes(Settings settings) {
        this.fileLimits = FileLimits.from(settings);
        this.nameLimits = NamespaceLimits.from(settings);
        this.partitionLimits = PartitionLimits.from(settings);
    }

    static void addTo(Routes routes, ShardParts parts) {
        new ChangeRoutes(parts.settings()).add(routes, parts);
    }

    private void add(Routes routes, ShardParts parts) {
        int spreadDepth = parts.settings().get(SPREAD_DEPTH).intValue();
        routes.write(
                        Kind.OPEN_SESSION,
                        OpenSessionRequest.class,
                        new OpenSession(parts.sessionMillis()),
                        sessionLimit(parts))
                .write(Kind.CLOSE_SESSION, CloseSessionRequest.class, new CloseSession())
                .write(Kind.CLAIM_FILES, ClaimFilesRequest.class, new ClaimFiles())
                .write(Kind.FENCE_SESSIONS, FenceSessionsRequest.class, new FenceSessions())
                .write(Kind.FENCE_HANDLES, FenceHandlesRequest.class, new FenceHandles())
                .write(
                        Kind.CREATE,
                        CreateRequest.class,
                        named(
                                Kind.CREATE,
                                CreateRequest::getLocation,
                                ofBlocks(
                                        Kind.CREATE,
                                        CreateRequest::getBlockSize,
                                        oneMoreFile(Kind.CREATE, new CreateFile(spreadDepth)))))
                .write(
                        Kind.MKDIRS,
                        MkdirsRequest.class,
                        named(
                                Kind.MKDIRS,
                                MkdirsRequest::getLocation,
                                new UnlessDiskFull<>(Kind.MKDIRS, new Mkdirs(spreadDepth))))
                .write(
                        Kind.CREATE_SYMLINK,
                        CreateSymlinkRequest.class,
                        named(
                                Kind.CREATE_SYMLINK,
                                CreateSymlinkRequest::getLocation,
                                new UnlessDiskFull<>(Kind.CREATE_SYMLINK, new CreateSymlink(spreadDepth))))
                .write(Kind.DELETE, DeleteRequest.class, new DeletePath(), new TreePermission())
                .write(Kind.RENAME, RenameRequest.class, named(Kind.RENAME, RenameRequest::getTarget, new RenamePath()))
                .write(Kind.SET_ATTRIBUTES, SetAttributesRequest.class, new SetAttributes())
                .write(
                        Kind.SET_XATTR,
                        SetXattrRequest.class,
                        new UnlessDiskFull<>(Kind.SET_XATTR, new SetXattr(nameLimits, partitionLimits)))
                .write(Kind.REMOVE_XATTR, RemoveXattrRequest.class, new RemoveXattr())
                .write(Kind.ATTACH, AttachRequest.class, new AttachDatafiles())
                .write(Kind.CLOSE, CloseRequest.class, new CloseFile())
                .write(Kind.APPEND, AppendRequest.class, oneMoreFile(Kind.APPEND, new AppendFile()))
                .write(Kind.TRUNCATE_FILE, TruncateFileRequest.class, new TruncateFile())
                .write(Kind.RECOVER_LEASE, RecoverLeaseRequest.class, new RecoverLease())
                .write(Kind.ABANDON, AbandonRequest.class, new AbandonFile())
                .write(
                        Kind.CREATE_METAFILE,
                        CreateMetafileRequest.class,
                        ofBlocks(
                                Kind.CREATE_METAFILE,
                                CreateMetafileRequest::getBlockSize,
                                oneMoreFile(Kind.CREATE_METAFILE, new CreateMetafile())))
                .write(
                        Kind.LINK,
                        LinkRequest.class,
                        named(
                                Kind.LINK,
                                LinkRequest::getLocation,
                                new UnlessDiskFull<>(Kind.LINK, new LinkFile(spreadDepth))))
                .write(Kind.ABANDON_METAFILE, AbandonMetafileRequest.class, new AbandonMetafile())
                .write(Kind.NOTIFY, NotifyRequest.class, new NotifyObjects())
                .write(Kind.MEND, MendRequest.class, new Mend())
                .write(Kind.SETTLE_SHARD, SettleRequest.class, new Settle())
                .write(
                        Kind.RECALL_COPIES,
                        RecallCopiesRequest.class,
                        new DropCopies(parts.copies().held()))
                .write(Kind.PREPARE, PrepareRequest.class, new PrepareSlot())
                .write(Kind.FINISH, FinishRequest.class, new FinishIntent());
    }

    private static SessionLimit sessionLimit(ShardParts parts) {
        return new SessionLimit(
                parts.sessionTimes(),
                parts.settings().get(SessionTimes.MOST),
                parts.settings().get(SessionTimes.MOST_OF_USER));
    }

    /**
     * Adds the checks of name limits to an operation that creates a name.
     *
     * @param name finds the location of the new name in the request
     */
    private <Q extends MessageLite> Operation<Q> named(Kind kind, Function<Q, Location> name, Operation<Q> operation) {
        return WithinNameLimits.of(kind, nameLimits, name, operation);
    }

    /**
     * Adds a check of the requested block size to an operation that makes a file.
     *
     * @param blockSize finds the block size in the request, in bytes
     */
    private <Q extends MessageLite> Operation<Q> ofBlocks(
            Kind kind, ToLongFunction<Q> blockSize, Operation<Q> operation) {
        return new WithinBlockFloor<>(kind, nameLimits, blockSize, operation);
    }

    /**
     * Adds checks of file limits and of free disk space to an operation that gives the caller's session one more file.
     */
    private <Q extends MessageLite> Operation<Q> oneMoreFile(Kind kind, Operation<Q> operation) {
        return new UnlessDiskFull<>(kind, new WithinFileLimits<>(kind, fileLimits, operation));
    }
}

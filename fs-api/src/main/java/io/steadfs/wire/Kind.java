package io.steadfs.wire;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.steadfs.wire.proto.*;
import io.steadfs.wire.proto.AncestorsReply;
import io.steadfs.wire.proto.AncestorsRequest;
import io.steadfs.wire.proto.CheckTreeReply;
import io.steadfs.wire.proto.CheckTreeRequest;
import io.steadfs.wire.proto.FenceSessionsReply;
import io.steadfs.wire.proto.FenceSessionsRequest;
import io.steadfs.wire.proto.FinishReply;
import io.steadfs.wire.proto.FinishRequest;
import io.steadfs.wire.proto.IntentStatusReply;
import io.steadfs.wire.proto.IntentStatusRequest;
import io.steadfs.wire.proto.ListOpenFilesReply;
import io.steadfs.wire.proto.ListOpenFilesRequest;
import io.steadfs.wire.proto.ListPartitionsReply;
import io.steadfs.wire.proto.ListPartitionsRequest;
import io.steadfs.wire.proto.LookUpReply;
import io.steadfs.wire.proto.LookUpRequest;
import io.steadfs.wire.proto.NotifyReply;
import io.steadfs.wire.proto.NotifyRequest;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.PrepareRequest;
import io.steadfs.wire.proto.SessionStatusReply;
import io.steadfs.wire.proto.SessionStatusRequest;
import io.steadfs.wire.proto.StatHandlesReply;
import io.steadfs.wire.proto.StatHandlesRequest;
import java.util.Optional;

/**
 * Lists all kinds of messages. Every kind has a number on the wire, types of its bodies, an audience that may send the
 * kind, and a target. Numbers are never reused.
 */
public enum Kind {
    CLUSTER_MAP(1, Target.MDS_READ, Audience.ANYONE),
    STATUS(2, Target.ANY, Audience.ANYONE),
    RECENT_MESSAGES(3, Target.ANY, Audience.ADMIN),
    CONFIGURATION(4, Target.ANY, Audience.ADMIN),

    OPEN_SESSION(10, Target.MDS_WRITE, Audience.USER),
    RENEW_SESSION(11, Target.MDS_READ, Audience.USER),
    CLOSE_SESSION(12, Target.MDS_WRITE, Audience.USER),

    STAT(20, Target.MDS_READ, Audience.USER),
    LIST(21, Target.MDS_READ, Audience.USER),
    LIST_TREE(22, Target.MDS_READ, Audience.USER),
    GET_XATTRS(23, Target.MDS_READ, Audience.USER),
    CONTENT_SUMMARY(24, Target.MDS_READ, Audience.USER),
    LIST_PARTITIONS(25, Target.MDS_READ, Audience.USER),

    CREATE(30, Target.MDS_RECORDED, Audience.USER),
    MKDIRS(31, Target.MDS_RECORDED, Audience.USER),
    DELETE(32, Target.MDS_RECORDED, Audience.USER),
    RENAME(33, Target.MDS_RECORDED, Audience.USER),
    SET_ATTRIBUTES(34, Target.MDS_RECORDED, Audience.USER),
    SET_XATTR(35, Target.MDS_RECORDED, Audience.USER),
    REMOVE_XATTR(36, Target.MDS_RECORDED, Audience.USER),
    ATTACH(37, Target.MDS_RECORDED, Audience.USER),
    CLOSE(38, Target.MDS_RECORDED, Audience.USER),
    APPEND(39, Target.MDS_RECORDED, Audience.USER),
    TRUNCATE_FILE(40, Target.MDS_RECORDED, Audience.USER),
    RECOVER_LEASE(41, Target.MDS_RECORDED, Audience.USER),
    ABANDON(42, Target.MDS_RECORDED, Audience.USER),
    CREATE_METAFILE(45, Target.MDS_RECORDED, Audience.USER),
    LINK(46, Target.MDS_RECORDED, Audience.USER),
    ABANDON_METAFILE(47, Target.MDS_RECORDED, Audience.USER),
    CLAIM_FILES(48, Target.MDS_WRITE, Audience.USER),
    CREATE_SYMLINK(49, Target.MDS_RECORDED, Audience.USER),

    CONFIRM_DATAFILES(50, Target.MDS_READ, Audience.SERVER),
    FENCE_HANDLES(51, Target.MDS_WRITE, Audience.SERVER),
    LIST_FENCES(52, Target.MDS_READ, Audience.SERVER),

    PREPARE(70, Target.MDS_WRITE, Audience.SERVER),
    FINISH(71, Target.MDS_WRITE, Audience.SERVER),
    INTENT_STATUS(72, Target.MDS_READ, Audience.ADMIN),
    STAT_HANDLES(73, Target.MDS_READ, Audience.SERVER),
    ANCESTORS(74, Target.MDS_READ, Audience.SERVER),
    CHECK_TREE(75, Target.MDS_READ, Audience.SERVER),
    SESSION_STATUS(76, Target.MDS_READ, Audience.SERVER),
    NOTIFY(77, Target.MDS_WRITE, Audience.SERVER),
    FENCE_SESSIONS(78, Target.MDS_WRITE, Audience.SERVER),
    LOOK_UP(79, Target.MDS_READ, Audience.SERVER),
    GIVE_COPIES(80, Target.MDS_READ, Audience.SERVER),
    RECALL_COPIES(81, Target.MDS_WRITE, Audience.SERVER),
    LIST_STORE_FILES(82, Target.MDS, Audience.SERVER),
    READ_STORE_FILE(83, Target.MDS, Audience.SERVER),

    WRITE(60, Target.IO, Audience.USER),
    READ(61, Target.IO, Audience.USER),
    SYNC(62, Target.IO, Audience.USER),
    TRUNCATE(63, Target.IO, Audience.USER),
    SEAL(64, Target.IO, Audience.USER),
    REMOVE(65, Target.IO, Audience.ADMIN),
    STAT_DATAFILES(66, Target.IO, Audience.USER),
    CHECKSUM(67, Target.IO, Audience.USER),
    CREATE_DATAFILE(68, Target.IO, Audience.USER),

    LEASE_HANDLES(90, Target.IO, Audience.USER),
    RENEW_LEASES(91, Target.IO, Audience.USER),
    END_LEASES(92, Target.IO, Audience.USER),
    LIST_LEASES(93, Target.IO, Audience.ADMIN),
    RESERVE_HANDLE(94, Target.IO, Audience.USER),
    ACCOUNT_LEASES(95, Target.IO, Audience.ADMIN),
    ACKNOWLEDGE_DATAFILES(96, Target.IO, Audience.SERVER),

    SCAN_LISTED(110, Target.MDS_READ, Audience.ADMIN),
    CHECK_DATAFILES(111, Target.MDS_READ, Audience.ADMIN),
    SCAN_DATAFILES(112, Target.IO, Audience.ADMIN),
    SCAN_OBJECTS(113, Target.MDS_READ, Audience.ADMIN),
    SCAN_ENTRIES(114, Target.MDS_READ, Audience.ADMIN),
    SCAN_PARTITIONS(115, Target.MDS_READ, Audience.ADMIN),
    CHECK_OBJECTS(116, Target.MDS_READ, Audience.ADMIN),
    WATCH_OBJECTS(117, Target.MDS_READ, Audience.ADMIN),
    MEND(118, Target.MDS_WRITE, Audience.ADMIN),
    SCRUB_DATAFILES(119, Target.IO, Audience.ADMIN),
    SCAN_PENDING(120, Target.MDS_READ, Audience.ADMIN),
    SCRUB_STORE(121, Target.ANY, Audience.ADMIN),
    LIST_OPEN_FILES(122, Target.MDS_READ, Audience.ADMIN),
    SETTLE_SHARD(124, Target.MDS_WRITE, Audience.ADMIN),
    SETTLE_IO_SERVER(125, Target.IO, Audience.ADMIN),
    PARTITION_ACTIVITY(126, Target.MDS_READ, Audience.ADMIN);

    /** Says which server answers a kind of message, and which part of the server does. */
    public enum Target {
        /** Any server. */
        ANY,
        /** A metadata server answers, on another thread than the writer thread of a shard. */
        MDS_READ,
        /**
         * A metadata shard answers on its writer thread. Such a request may be repeated without harm, so the shard
         * records no reply.
         */
        MDS_WRITE,
        /**
         * A metadata shard answers on its writer thread. The request belongs to a session. The shard records the reply
         * in the same batch as the request's effect.
         */
        MDS_RECORDED,
        /** A metadata server as a whole, and none of its shards. */
        MDS,
        /** An IO server. */
        IO
    }

    private static final Kind[] BY_NUMBER = new Kind[128];

    static {
        for (Kind kind : values()) {
            BY_NUMBER[kind.number] = kind;
        }
    }

    private final int number;
    private final Target target;
    private final Audience audience;

    Kind(int number, Target target, Audience audience) {
        this.number = number;
        this.target = target;
        this.audience = audience;
    }

    public int number() {
        return number;
    }

    public Target target() {
        return target;
    }

    /** Audience that may send this kind. */
    public Audience audience() {
        return audience;
    }

    public Class<? extends MessageLite> requestType() {
        return emptyRequest().getClass();
    }

    public Parser<? extends MessageLite> requestParser() {
        return emptyRequest().getParserForType();
    }

    public Parser<? extends MessageLite> replyParser() {
        return emptyReply().getParserForType();
    }

    /** Empty body of the kind's request type. */
    public MessageLite emptyRequest() {
        return switch (this) {
            case CLUSTER_MAP -> ClusterMapRequest.getDefaultInstance();
            case STATUS -> StatusRequest.getDefaultInstance();
            case RECENT_MESSAGES -> RecentMessagesRequest.getDefaultInstance();
            case CONFIGURATION -> ConfigurationRequest.getDefaultInstance();
            case OPEN_SESSION -> OpenSessionRequest.getDefaultInstance();
            case RENEW_SESSION -> RenewSessionRequest.getDefaultInstance();
            case CLOSE_SESSION -> CloseSessionRequest.getDefaultInstance();
            case STAT -> StatRequest.getDefaultInstance();
            case LIST -> ListRequest.getDefaultInstance();
            case LIST_TREE -> ListTreeRequest.getDefaultInstance();
            case GET_XATTRS -> GetXattrsRequest.getDefaultInstance();
            case LIST_PARTITIONS -> ListPartitionsRequest.getDefaultInstance();
            case CONTENT_SUMMARY -> ContentSummaryRequest.getDefaultInstance();
            case CREATE -> CreateRequest.getDefaultInstance();
            case MKDIRS -> MkdirsRequest.getDefaultInstance();
            case CREATE_SYMLINK -> CreateSymlinkRequest.getDefaultInstance();
            case DELETE -> DeleteRequest.getDefaultInstance();
            case RENAME -> RenameRequest.getDefaultInstance();
            case SET_ATTRIBUTES -> SetAttributesRequest.getDefaultInstance();
            case SET_XATTR -> SetXattrRequest.getDefaultInstance();
            case REMOVE_XATTR -> RemoveXattrRequest.getDefaultInstance();
            case ATTACH -> AttachRequest.getDefaultInstance();
            case CLOSE -> CloseRequest.getDefaultInstance();
            case APPEND -> AppendRequest.getDefaultInstance();
            case TRUNCATE_FILE -> TruncateFileRequest.getDefaultInstance();
            case RECOVER_LEASE -> RecoverLeaseRequest.getDefaultInstance();
            case ABANDON -> AbandonRequest.getDefaultInstance();
            case CREATE_METAFILE -> CreateMetafileRequest.getDefaultInstance();
            case LINK -> LinkRequest.getDefaultInstance();
            case ABANDON_METAFILE -> AbandonMetafileRequest.getDefaultInstance();
            case CLAIM_FILES -> ClaimFilesRequest.getDefaultInstance();
            case CONFIRM_DATAFILES -> ConfirmDatafilesRequest.getDefaultInstance();
            case FENCE_HANDLES -> FenceHandlesRequest.getDefaultInstance();
            case LIST_FENCES -> ListFencesRequest.getDefaultInstance();
            case PREPARE -> PrepareRequest.getDefaultInstance();
            case FINISH -> FinishRequest.getDefaultInstance();
            case INTENT_STATUS -> IntentStatusRequest.getDefaultInstance();
            case STAT_HANDLES -> StatHandlesRequest.getDefaultInstance();
            case ANCESTORS -> AncestorsRequest.getDefaultInstance();
            case CHECK_TREE -> CheckTreeRequest.getDefaultInstance();
            case SESSION_STATUS -> SessionStatusRequest.getDefaultInstance();
            case NOTIFY -> NotifyRequest.getDefaultInstance();
            case FENCE_SESSIONS -> FenceSessionsRequest.getDefaultInstance();
            case LOOK_UP -> LookUpRequest.getDefaultInstance();
            case GIVE_COPIES -> GiveCopiesRequest.getDefaultInstance();
            case RECALL_COPIES -> RecallCopiesRequest.getDefaultInstance();
            case LIST_STORE_FILES -> ListStoreFilesRequest.getDefaultInstance();
            case READ_STORE_FILE -> ReadStoreFileRequest.getDefaultInstance();
            case WRITE -> WriteRequest.getDefaultInstance();
            case READ -> ReadRequest.getDefaultInstance();
            case SYNC -> SyncRequest.getDefaultInstance();
            case TRUNCATE -> TruncateRequest.getDefaultInstance();
            case SEAL -> SealRequest.getDefaultInstance();
            case REMOVE -> RemoveRequest.getDefaultInstance();
            case STAT_DATAFILES -> StatDatafilesRequest.getDefaultInstance();
            case CHECKSUM -> ChecksumRequest.getDefaultInstance();
            case CREATE_DATAFILE -> CreateDatafileRequest.getDefaultInstance();
            case LEASE_HANDLES -> LeaseHandlesRequest.getDefaultInstance();
            case RENEW_LEASES -> RenewLeasesRequest.getDefaultInstance();
            case END_LEASES -> EndLeasesRequest.getDefaultInstance();
            case LIST_LEASES -> ListLeasesRequest.getDefaultInstance();
            case RESERVE_HANDLE -> ReserveHandleRequest.getDefaultInstance();
            case ACCOUNT_LEASES -> AccountLeasesRequest.getDefaultInstance();
            case ACKNOWLEDGE_DATAFILES -> AcknowledgeDatafilesRequest.getDefaultInstance();
            case SCAN_LISTED -> ScanListedRequest.getDefaultInstance();
            case CHECK_DATAFILES -> CheckDatafilesRequest.getDefaultInstance();
            case SCAN_DATAFILES -> ScanDatafilesRequest.getDefaultInstance();
            case SCAN_OBJECTS -> ScanObjectsRequest.getDefaultInstance();
            case SCAN_ENTRIES -> ScanEntriesRequest.getDefaultInstance();
            case SCAN_PARTITIONS -> ScanPartitionsRequest.getDefaultInstance();
            case CHECK_OBJECTS -> CheckObjectsRequest.getDefaultInstance();
            case WATCH_OBJECTS -> WatchObjectsRequest.getDefaultInstance();
            case MEND -> MendRequest.getDefaultInstance();
            case SCRUB_DATAFILES -> ScrubDatafilesRequest.getDefaultInstance();
            case SCAN_PENDING -> ScanPendingRequest.getDefaultInstance();
            case SCRUB_STORE -> ScrubStoreRequest.getDefaultInstance();
            case LIST_OPEN_FILES -> ListOpenFilesRequest.getDefaultInstance();
            case SETTLE_SHARD -> SettleRequest.getDefaultInstance();
            case SETTLE_IO_SERVER -> SettleRequest.getDefaultInstance();
            case PARTITION_ACTIVITY -> PartitionActivityRequest.getDefaultInstance();
        };
    }

    /** Empty body of the kind's reply type, for a refusal. */
    public MessageLite emptyReply() {
        return switch (this) {
            case CLUSTER_MAP -> ClusterMapReply.getDefaultInstance();
            case STATUS -> StatusReply.getDefaultInstance();
            case RECENT_MESSAGES -> RecentMessagesReply.getDefaultInstance();
            case CONFIGURATION -> ConfigurationReply.getDefaultInstance();
            case OPEN_SESSION -> OpenSessionReply.getDefaultInstance();
            case RENEW_SESSION -> RenewSessionReply.getDefaultInstance();
            case CLOSE_SESSION -> CloseSessionReply.getDefaultInstance();
            case STAT -> StatReply.getDefaultInstance();
            case LIST -> ListReply.getDefaultInstance();
            case LIST_TREE -> ListTreeReply.getDefaultInstance();
            case GET_XATTRS -> GetXattrsReply.getDefaultInstance();
            case LIST_PARTITIONS -> ListPartitionsReply.getDefaultInstance();
            case CONTENT_SUMMARY -> ContentSummaryReply.getDefaultInstance();
            case CREATE -> CreateReply.getDefaultInstance();
            case MKDIRS -> MkdirsReply.getDefaultInstance();
            case CREATE_SYMLINK -> CreateSymlinkReply.getDefaultInstance();
            case DELETE -> DeleteReply.getDefaultInstance();
            case RENAME -> RenameReply.getDefaultInstance();
            case SET_ATTRIBUTES -> SetAttributesReply.getDefaultInstance();
            case SET_XATTR -> SetXattrReply.getDefaultInstance();
            case REMOVE_XATTR -> RemoveXattrReply.getDefaultInstance();
            case ATTACH -> AttachReply.getDefaultInstance();
            case CLOSE -> CloseReply.getDefaultInstance();
            case APPEND -> AppendReply.getDefaultInstance();
            case TRUNCATE_FILE -> TruncateFileReply.getDefaultInstance();
            case RECOVER_LEASE -> RecoverLeaseReply.getDefaultInstance();
            case ABANDON -> AbandonReply.getDefaultInstance();
            case CREATE_METAFILE -> CreateMetafileReply.getDefaultInstance();
            case LINK -> LinkReply.getDefaultInstance();
            case ABANDON_METAFILE -> AbandonMetafileReply.getDefaultInstance();
            case CLAIM_FILES -> ClaimFilesReply.getDefaultInstance();
            case CONFIRM_DATAFILES -> ConfirmDatafilesReply.getDefaultInstance();
            case FENCE_HANDLES -> FenceHandlesReply.getDefaultInstance();
            case LIST_FENCES -> ListFencesReply.getDefaultInstance();
            case PREPARE -> PrepareReply.getDefaultInstance();
            case FINISH -> FinishReply.getDefaultInstance();
            case INTENT_STATUS -> IntentStatusReply.getDefaultInstance();
            case STAT_HANDLES -> StatHandlesReply.getDefaultInstance();
            case ANCESTORS -> AncestorsReply.getDefaultInstance();
            case CHECK_TREE -> CheckTreeReply.getDefaultInstance();
            case SESSION_STATUS -> SessionStatusReply.getDefaultInstance();
            case NOTIFY -> NotifyReply.getDefaultInstance();
            case FENCE_SESSIONS -> FenceSessionsReply.getDefaultInstance();
            case LOOK_UP -> LookUpReply.getDefaultInstance();
            case GIVE_COPIES -> GiveCopiesReply.getDefaultInstance();
            case RECALL_COPIES -> RecallCopiesReply.getDefaultInstance();
            case LIST_STORE_FILES -> ListStoreFilesReply.getDefaultInstance();
            case READ_STORE_FILE -> ReadStoreFileReply.getDefaultInstance();
            case WRITE -> WriteReply.getDefaultInstance();
            case READ -> ReadReply.getDefaultInstance();
            case SYNC -> SyncReply.getDefaultInstance();
            case TRUNCATE -> TruncateReply.getDefaultInstance();
            case SEAL -> SealReply.getDefaultInstance();
            case REMOVE -> RemoveReply.getDefaultInstance();
            case STAT_DATAFILES -> StatDatafilesReply.getDefaultInstance();
            case CHECKSUM -> ChecksumReply.getDefaultInstance();
            case CREATE_DATAFILE -> CreateDatafileReply.getDefaultInstance();
            case LEASE_HANDLES -> LeaseHandlesReply.getDefaultInstance();
            case RENEW_LEASES -> RenewLeasesReply.getDefaultInstance();
            case END_LEASES -> EndLeasesReply.getDefaultInstance();
            case LIST_LEASES -> ListLeasesReply.getDefaultInstance();
            case RESERVE_HANDLE -> ReserveHandleReply.getDefaultInstance();
            case ACCOUNT_LEASES -> AccountLeasesReply.getDefaultInstance();
            case ACKNOWLEDGE_DATAFILES -> AcknowledgeDatafilesReply.getDefaultInstance();
            case SCAN_LISTED -> ScanListedReply.getDefaultInstance();
            case CHECK_DATAFILES -> CheckDatafilesReply.getDefaultInstance();
            case SCAN_DATAFILES -> ScanDatafilesReply.getDefaultInstance();
            case SCAN_OBJECTS -> ScanObjectsReply.getDefaultInstance();
            case SCAN_ENTRIES -> ScanEntriesReply.getDefaultInstance();
            case SCAN_PARTITIONS -> ScanPartitionsReply.getDefaultInstance();
            case CHECK_OBJECTS -> CheckObjectsReply.getDefaultInstance();
            case WATCH_OBJECTS -> WatchObjectsReply.getDefaultInstance();
            case MEND -> MendReply.getDefaultInstance();
            case SCRUB_DATAFILES -> ScrubDatafilesReply.getDefaultInstance();
            case SCAN_PENDING -> ScanPendingReply.getDefaultInstance();
            case SCRUB_STORE -> ScrubStoreReply.getDefaultInstance();
            case LIST_OPEN_FILES -> ListOpenFilesReply.getDefaultInstance();
            case SETTLE_SHARD -> SettleReply.getDefaultInstance();
            case SETTLE_IO_SERVER -> SettleReply.getDefaultInstance();
            case PARTITION_ACTIVITY -> PartitionActivityReply.getDefaultInstance();
        };
    }

    /** The kind with this number. Empty if this release does not know the number. */
    public static Optional<Kind> byNumber(int number) {
        return number >= 0 && number < BY_NUMBER.length ? Optional.ofNullable(BY_NUMBER[number]) : Optional.empty();
    }
}

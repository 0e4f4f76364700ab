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
    CLUSTER_MAP(
            1,
            Target.MDS_READ,
            Audience.ANYONE,
            ClusterMapRequest.getDefaultInstance(),
            ClusterMapReply.getDefaultInstance()),
    STATUS(2, Target.ANY, Audience.ANYONE, StatusRequest.getDefaultInstance(), StatusReply.getDefaultInstance()),
    RECENT_MESSAGES(
            3,
            Target.ANY,
            Audience.ADMIN,
            RecentMessagesRequest.getDefaultInstance(),
            RecentMessagesReply.getDefaultInstance()),
    CONFIGURATION(
            4,
            Target.ANY,
            Audience.ADMIN,
            ConfigurationRequest.getDefaultInstance(),
            ConfigurationReply.getDefaultInstance()),

    OPEN_SESSION(
            10,
            Target.MDS_WRITE,
            Audience.USER,
            OpenSessionRequest.getDefaultInstance(),
            OpenSessionReply.getDefaultInstance()),
    RENEW_SESSION(
            11,
            Target.MDS_READ,
            Audience.USER,
            RenewSessionRequest.getDefaultInstance(),
            RenewSessionReply.getDefaultInstance()),
    CLOSE_SESSION(
            12,
            Target.MDS_WRITE,
            Audience.USER,
            CloseSessionRequest.getDefaultInstance(),
            CloseSessionReply.getDefaultInstance()),

    STAT(20, Target.MDS_READ, Audience.USER, StatRequest.getDefaultInstance(), StatReply.getDefaultInstance()),
    LIST(21, Target.MDS_READ, Audience.USER, ListRequest.getDefaultInstance(), ListReply.getDefaultInstance()),
    LIST_TREE(
            22,
            Target.MDS_READ,
            Audience.USER,
            ListTreeRequest.getDefaultInstance(),
            ListTreeReply.getDefaultInstance()),
    GET_XATTRS(
            23,
            Target.MDS_READ,
            Audience.USER,
            GetXattrsRequest.getDefaultInstance(),
            GetXattrsReply.getDefaultInstance()),
    CONTENT_SUMMARY(
            24,
            Target.MDS_READ,
            Audience.USER,
            ContentSummaryRequest.getDefaultInstance(),
            ContentSummaryReply.getDefaultInstance()),

    CREATE(
            30,
            Target.MDS_RECORDED,
            Audience.USER,
            CreateRequest.getDefaultInstance(),
            CreateReply.getDefaultInstance()),
    MKDIRS(
            31,
            Target.MDS_RECORDED,
            Audience.USER,
            MkdirsRequest.getDefaultInstance(),
            MkdirsReply.getDefaultInstance()),
    DELETE(
            32,
            Target.MDS_RECORDED,
            Audience.USER,
            DeleteRequest.getDefaultInstance(),
            DeleteReply.getDefaultInstance()),
    RENAME(
            33,
            Target.MDS_RECORDED,
            Audience.USER,
            RenameRequest.getDefaultInstance(),
            RenameReply.getDefaultInstance()),
    SET_ATTRIBUTES(
            34,
            Target.MDS_RECORDED,
            Audience.USER,
            SetAttributesRequest.getDefaultInstance(),
            SetAttributesReply.getDefaultInstance()),
    SET_XATTR(
            35,
            Target.MDS_RECORDED,
            Audience.USER,
            SetXattrRequest.getDefaultInstance(),
            SetXattrReply.getDefaultInstance()),
    REMOVE_XATTR(
            36,
            Target.MDS_RECORDED,
            Audience.USER,
            RemoveXattrRequest.getDefaultInstance(),
            RemoveXattrReply.getDefaultInstance()),
    ATTACH(
            37,
            Target.MDS_RECORDED,
            Audience.USER,
            AttachRequest.getDefaultInstance(),
            AttachReply.getDefaultInstance()),
    CLOSE(38, Target.MDS_RECORDED, Audience.USER, CloseRequest.getDefaultInstance(), CloseReply.getDefaultInstance()),
    APPEND(
            39,
            Target.MDS_RECORDED,
            Audience.USER,
            AppendRequest.getDefaultInstance(),
            AppendReply.getDefaultInstance()),
    TRUNCATE_FILE(
            40,
            Target.MDS_RECORDED,
            Audience.USER,
            TruncateFileRequest.getDefaultInstance(),
            TruncateFileReply.getDefaultInstance()),
    RECOVER_LEASE(
            41,
            Target.MDS_RECORDED,
            Audience.USER,
            RecoverLeaseRequest.getDefaultInstance(),
            RecoverLeaseReply.getDefaultInstance()),
    ABANDON(
            42,
            Target.MDS_RECORDED,
            Audience.USER,
            AbandonRequest.getDefaultInstance(),
            AbandonReply.getDefaultInstance()),
    CREATE_METAFILE(
            45,
            Target.MDS_RECORDED,
            Audience.USER,
            CreateMetafileRequest.getDefaultInstance(),
            CreateMetafileReply.getDefaultInstance()),
    LINK(46, Target.MDS_RECORDED, Audience.USER, LinkRequest.getDefaultInstance(), LinkReply.getDefaultInstance()),
    ABANDON_METAFILE(
            47,
            Target.MDS_RECORDED,
            Audience.USER,
            AbandonMetafileRequest.getDefaultInstance(),
            AbandonMetafileReply.getDefaultInstance()),
    CLAIM_FILES(
            48,
            Target.MDS_WRITE,
            Audience.USER,
            ClaimFilesRequest.getDefaultInstance(),
            ClaimFilesReply.getDefaultInstance()),

    CONFIRM_DATAFILES(
            50,
            Target.MDS_READ,
            Audience.SERVER,
            ConfirmDatafilesRequest.getDefaultInstance(),
            ConfirmDatafilesReply.getDefaultInstance()),
    FENCE_HANDLES(
            51,
            Target.MDS_WRITE,
            Audience.SERVER,
            FenceHandlesRequest.getDefaultInstance(),
            FenceHandlesReply.getDefaultInstance()),

    PREPARE(
            70,
            Target.MDS_WRITE,
            Audience.SERVER,
            PrepareRequest.getDefaultInstance(),
            PrepareReply.getDefaultInstance()),
    FINISH(71, Target.MDS_WRITE, Audience.SERVER, FinishRequest.getDefaultInstance(), FinishReply.getDefaultInstance()),
    INTENT_STATUS(
            72,
            Target.MDS_READ,
            Audience.ADMIN,
            IntentStatusRequest.getDefaultInstance(),
            IntentStatusReply.getDefaultInstance()),
    STAT_HANDLES(
            73,
            Target.MDS_READ,
            Audience.SERVER,
            StatHandlesRequest.getDefaultInstance(),
            StatHandlesReply.getDefaultInstance()),
    ANCESTORS(
            74,
            Target.MDS_READ,
            Audience.SERVER,
            AncestorsRequest.getDefaultInstance(),
            AncestorsReply.getDefaultInstance()),
    CHECK_TREE(
            75,
            Target.MDS_READ,
            Audience.SERVER,
            CheckTreeRequest.getDefaultInstance(),
            CheckTreeReply.getDefaultInstance()),
    SESSION_STATUS(
            76,
            Target.MDS_READ,
            Audience.SERVER,
            SessionStatusRequest.getDefaultInstance(),
            SessionStatusReply.getDefaultInstance()),
    NOTIFY(77, Target.MDS_WRITE, Audience.SERVER, NotifyRequest.getDefaultInstance(), NotifyReply.getDefaultInstance()),
    FENCE_SESSIONS(
            78,
            Target.MDS_WRITE,
            Audience.SERVER,
            FenceSessionsRequest.getDefaultInstance(),
            FenceSessionsReply.getDefaultInstance()),
    LOOK_UP(79, Target.MDS_READ, Audience.SERVER, LookUpRequest.getDefaultInstance(), LookUpReply.getDefaultInstance()),

    WRITE(60, Target.IO, Audience.USER, WriteRequest.getDefaultInstance(), WriteReply.getDefaultInstance()),
    READ(61, Target.IO, Audience.USER, ReadRequest.getDefaultInstance(), ReadReply.getDefaultInstance()),
    SYNC(62, Target.IO, Audience.USER, SyncRequest.getDefaultInstance(), SyncReply.getDefaultInstance()),
    TRUNCATE(63, Target.IO, Audience.USER, TruncateRequest.getDefaultInstance(), TruncateReply.getDefaultInstance()),
    SEAL(64, Target.IO, Audience.USER, SealRequest.getDefaultInstance(), SealReply.getDefaultInstance()),
    REMOVE(65, Target.IO, Audience.ADMIN, RemoveRequest.getDefaultInstance(), RemoveReply.getDefaultInstance()),
    STAT_DATAFILES(
            66,
            Target.IO,
            Audience.USER,
            StatDatafilesRequest.getDefaultInstance(),
            StatDatafilesReply.getDefaultInstance()),
    CHECKSUM(67, Target.IO, Audience.USER, ChecksumRequest.getDefaultInstance(), ChecksumReply.getDefaultInstance()),
    CREATE_DATAFILE(
            68,
            Target.IO,
            Audience.USER,
            CreateDatafileRequest.getDefaultInstance(),
            CreateDatafileReply.getDefaultInstance()),

    LEASE_HANDLES(
            90,
            Target.IO,
            Audience.USER,
            LeaseHandlesRequest.getDefaultInstance(),
            LeaseHandlesReply.getDefaultInstance()),
    RENEW_LEASES(
            91,
            Target.IO,
            Audience.USER,
            RenewLeasesRequest.getDefaultInstance(),
            RenewLeasesReply.getDefaultInstance()),
    END_LEASES(
            92, Target.IO, Audience.USER, EndLeasesRequest.getDefaultInstance(), EndLeasesReply.getDefaultInstance()),
    LIST_LEASES(
            93,
            Target.IO,
            Audience.ADMIN,
            ListLeasesRequest.getDefaultInstance(),
            ListLeasesReply.getDefaultInstance()),
    RESERVE_HANDLE(
            94,
            Target.IO,
            Audience.USER,
            ReserveHandleRequest.getDefaultInstance(),
            ReserveHandleReply.getDefaultInstance()),
    ACCOUNT_LEASES(
            95,
            Target.IO,
            Audience.ADMIN,
            AccountLeasesRequest.getDefaultInstance(),
            AccountLeasesReply.getDefaultInstance()),
    ACKNOWLEDGE_DATAFILES(
            96,
            Target.IO,
            Audience.SERVER,
            AcknowledgeDatafilesRequest.getDefaultInstance(),
            AcknowledgeDatafilesReply.getDefaultInstance()),

    SCAN_LISTED(
            110,
            Target.MDS_READ,
            Audience.ADMIN,
            ScanListedRequest.getDefaultInstance(),
            ScanListedReply.getDefaultInstance()),
    CHECK_DATAFILES(
            111,
            Target.MDS_READ,
            Audience.ADMIN,
            CheckDatafilesRequest.getDefaultInstance(),
            CheckDatafilesReply.getDefaultInstance()),
    SCAN_DATAFILES(
            112,
            Target.IO,
            Audience.ADMIN,
            ScanDatafilesRequest.getDefaultInstance(),
            ScanDatafilesReply.getDefaultInstance()),
    SCAN_OBJECTS(
            113,
            Target.MDS_READ,
            Audience.ADMIN,
            ScanObjectsRequest.getDefaultInstance(),
            ScanObjectsReply.getDefaultInstance()),
    SCAN_ENTRIES(
            114,
            Target.MDS_READ,
            Audience.ADMIN,
            ScanEntriesRequest.getDefaultInstance(),
            ScanEntriesReply.getDefaultInstance()),
    SCAN_PARTITIONS(
            115,
            Target.MDS_READ,
            Audience.ADMIN,
            ScanPartitionsRequest.getDefaultInstance(),
            ScanPartitionsReply.getDefaultInstance()),
    CHECK_OBJECTS(
            116,
            Target.MDS_READ,
            Audience.ADMIN,
            CheckObjectsRequest.getDefaultInstance(),
            CheckObjectsReply.getDefaultInstance()),
    WATCH_OBJECTS(
            117,
            Target.MDS_READ,
            Audience.ADMIN,
            WatchObjectsRequest.getDefaultInstance(),
            WatchObjectsReply.getDefaultInstance()),
    MEND(118, Target.MDS_WRITE, Audience.ADMIN, MendRequest.getDefaultInstance(), MendReply.getDefaultInstance()),
    SCRUB_DATAFILES(
            119,
            Target.IO,
            Audience.ADMIN,
            ScrubDatafilesRequest.getDefaultInstance(),
            ScrubDatafilesReply.getDefaultInstance()),
    SCAN_PENDING(
            120,
            Target.MDS_READ,
            Audience.ADMIN,
            ScanPendingRequest.getDefaultInstance(),
            ScanPendingReply.getDefaultInstance()),
    SCRUB_STORE(
            121,
            Target.ANY,
            Audience.ADMIN,
            ScrubStoreRequest.getDefaultInstance(),
            ScrubStoreReply.getDefaultInstance()),
    LIST_OPEN_FILES(
            122,
            Target.MDS_READ,
            Audience.ADMIN,
            ListOpenFilesRequest.getDefaultInstance(),
            ListOpenFilesReply.getDefaultInstance()),
    SETTLE_SHARD(
            124,
            Target.MDS_WRITE,
            Audience.ADMIN,
            SettleRequest.getDefaultInstance(),
            SettleReply.getDefaultInstance()),
    SETTLE_IO_SERVER(
            125, Target.IO, Audience.ADMIN, SettleRequest.getDefaultInstance(), SettleReply.getDefaultInstance());

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
    private final MessageLite emptyRequest;
    private final MessageLite emptyReply;

    Kind(int number, Target target, Audience audience, MessageLite emptyRequest, MessageLite emptyReply) {
        this.number = number;
        this.target = target;
        this.audience = audience;
        this.emptyRequest = emptyRequest;
        this.emptyReply = emptyReply;
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
        return emptyRequest.getClass();
    }

    public Parser<? extends MessageLite> requestParser() {
        return emptyRequest.getParserForType();
    }

    public Parser<? extends MessageLite> replyParser() {
        return emptyReply.getParserForType();
    }

    /** Empty body of the kind's request type. */
    public MessageLite emptyRequest() {
        return emptyRequest;
    }

    /** Empty body of the kind's reply type, for a refusal. */
    public MessageLite emptyReply() {
        return emptyReply;
    }

    /** The kind with this number. Empty if this release does not know the number. */
    public static Optional<Kind> byNumber(int number) {
        return number >= 0 && number < BY_NUMBER.length ? Optional.ofNullable(BY_NUMBER[number]) : Optional.empty();
    }
}

package io.steadfs.client;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.*;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A shard in memory for files at the root: sessions, recorded replies, CREATE, APPEND, ATTACH, CLOSE, ABANDON, STAT, LIST, DELETE. */
public final class MemoryShard implements RequestHandler {
    /** A session's floor and the replies above it. */
    public static final class SessionRow {
        long floor;
        public int renewals;
        final TreeMap<Long, Reply> replies = new TreeMap<>();
    }

    static final class File {
        final Attributes.Builder attributes;
        long writer;

        File(Attributes.Builder attributes, long writer) {
            this.attributes = attributes;
            this.writer = writer;
        }
    }

    public final Map<Long, SessionRow> sessions = new TreeMap<>();
    public final Map<String, File> files = new TreeMap<>();
    /** Made without a name, by handle. */
    public final Map<Long, File> unlinked = new TreeMap<>();

    /** Kinds that are executed and not answered. */
    public final Set<Kind> silent = EnumSet.noneOf(Kind.class);

    public final List<AbandonMetafileRequest> abandoned = new ArrayList<>();
    public final List<Kind> kinds = new ArrayList<>();
    /** How often each recorded request was executed, by kind. */
    public final Map<Kind, Integer> executed = new HashMap<>();

    public ClusterMap map;
    long sessionMillis = 30_000;
    public int maps;
    private long sequence = 1;
    private int rotation;

    MemoryShard(ClusterMap map) {
        this.map = map;
    }

    /** Ends every session, as a shard does that did not hear of them for their duration. */
    public synchronized void expireSessions() {
        sessions.clear();
    }

    /** Attributes of a file that is there; changes of the builder are changes of the file. */
    public Attributes.Builder attributes(String path) {
        return Objects.requireNonNull(files.get(path), path).attributes;
    }

    /** Has the files of the other one too, as they are now, and gives new ones other handles. */
    synchronized void copyFiles(MemoryShard other) {
        other.files.forEach((path, file) -> files.put(path, new File(file.attributes.clone(), file.writer)));
        sequence = Math.max(sequence, other.sequence);
        rotation = other.rotation;
    }

    @Override
    public synchronized void handle(Call call) {
        Request request = call.request();
        request.payload().release();
        kinds.add(request.kind());
        Reply reply = request.kind().target() == Kind.Target.MDS_RECORDED ? recorded(request) : plain(request);
        if (silent.contains(request.kind())) {
            return;
        }
        call.reply(new Reply(
                reply.error(),
                reply.header().toBuilder().setEpoch(map.getEpoch()).build(),
                reply.body(),
                reply.payload()));
    }

    private Reply recorded(Request request) {
        RequestHeader header = request.header();
        SessionRow session = sessions.get(header.getSession());
        if (session == null || header.getRequestId() < Math.max(1, session.floor)) {
            return Reply.refused(request.kind(), FsError.SESSION_EXPIRED, "session or request unknown");
        }
        session.floor = Math.max(session.floor, header.getLowestUnanswered());
        session.replies.headMap(session.floor).clear();
        return session.replies.computeIfAbsent(header.getRequestId(), id -> {
            executed.merge(request.kind(), 1, Integer::sum);
            return change(request);
        });
    }

    private Reply change(Request request) {
        return switch (request.kind()) {
            case CREATE -> create(request.header().getSession(), (CreateRequest) request.body());
            case APPEND -> append(request.header().getSession(), (AppendRequest) request.body());
            case ABANDON -> abandon(request.header().getSession(), (AbandonRequest) request.body());
            case ATTACH -> attach(request.header().getSession(), (AttachRequest) request.body());
            case CLOSE -> close(request.header().getSession(), (CloseRequest) request.body());
            case CREATE_METAFILE ->
                createMetafile(request.header().getSession(), (CreateMetafileRequest) request.body());
            case LINK -> link((LinkRequest) request.body());
            case ABANDON_METAFILE -> {
                AbandonMetafileRequest abandon = (AbandonMetafileRequest) request.body();
                abandoned.add(abandon);
                yield unlinked.remove(abandon.getMetafile()) == null
                        ? Reply.refused(Kind.ABANDON_METAFILE, FsError.NOT_FOUND, "no metafile without a name")
                        : Reply.ok(AbandonMetafileReply.getDefaultInstance());
            }
            case DELETE ->
                files.remove(((DeleteRequest) request.body()).getLocation().getPath()) == null
                        ? Reply.refused(Kind.DELETE, FsError.NOT_FOUND, "nothing there")
                        : Reply.ok(DeleteReply.getDefaultInstance());
            default -> Reply.refused(request.kind(), FsError.NOT_SUPPORTED, "not in this shard");
        };
    }

    private Reply plain(Request request) {
        MessageLite body = request.body();
        return switch (request.kind()) {
            case CLUSTER_MAP -> {
                maps++;
                yield Reply.ok(ClusterMapReply.newBuilder().setMap(map).build());
            }
            case OPEN_SESSION -> {
                sessions.computeIfAbsent(((OpenSessionRequest) body).getSession(), id -> new SessionRow());
                yield Reply.ok(OpenSessionReply.newBuilder()
                        .setDurationMillis(sessionMillis)
                        .build());
            }
            case RENEW_SESSION -> {
                SessionRow session = sessions.get(((RenewSessionRequest) body).getSession());
                if (session == null) {
                    yield Reply.refused(request.kind(), FsError.SESSION_EXPIRED, "session unknown");
                }
                session.renewals++;
                yield Reply.ok(RenewSessionReply.newBuilder()
                        .setDurationMillis(sessionMillis)
                        .build());
            }
            case CLOSE_SESSION -> {
                sessions.remove(((CloseSessionRequest) body).getSession());
                yield Reply.ok(CloseSessionReply.getDefaultInstance());
            }
            case STAT -> {
                long metafile = ((StatRequest) body).getMetafile();
                String path = ((StatRequest) body).getLocation().getPath();
                File file = metafile == 0 ? files.get(path) : find(metafile);
                yield file == null
                        ? Reply.refused(
                                Kind.STAT,
                                FsError.NOT_FOUND,
                                metafile == 0 ? "/" + path + " does not exist" : "metafile was removed")
                        : Reply.ok(StatReply.newBuilder()
                                .setAttributes(file.attributes)
                                .build());
            }
            case LIST -> list((ListRequest) body);
            case CONTENT_SUMMARY ->
                Reply.ok(ContentSummaryReply.newBuilder().setFiles(files.size()).build());
            default -> Reply.refused(request.kind(), FsError.NOT_SUPPORTED, "not in this shard");
        };
    }

    private Reply list(ListRequest request) {
        ListReply.Builder reply = ListReply.newBuilder();
        String after = request.getCursor().toStringUtf8();
        for (Map.Entry<String, File> file : files.entrySet()) {
            if (file.getKey().compareTo(after) <= 0) {
                continue;
            }
            if (reply.getEntriesCount() == request.getLimit()) {
                reply.setCursor(com.google.protobuf.ByteString.copyFromUtf8(
                        reply.getEntries(reply.getEntriesCount() - 1).getName()));
                break;
            }
            reply.addEntriesBuilder().setName(file.getKey()).setAttributes(file.getValue().attributes);
        }
        return Reply.ok(reply.build());
    }

    private Reply create(long session, CreateRequest request) {
        String path = request.getLocation().getPath();
        if (files.containsKey(path) && !request.getOverwrite()) {
            return Reply.refused(Kind.CREATE, FsError.ALREADY_EXISTS, "/" + path + " exists");
        }
        File file = newFile(session, request);
        files.put(path, file);
        return Reply.ok(CreateReply.newBuilder().setAttributes(file.attributes).build());
    }

    private Reply append(long session, AppendRequest request) {
        String path = request.getLocation().getPath();
        File file = files.get(path);
        if (file == null || file.attributes.getOpen()) {
            return Reply.refused(
                    Kind.APPEND,
                    file == null ? FsError.NOT_FOUND : FsError.FILE_OPEN,
                    "/" + path + " cannot be opened");
        }
        file.writer = session;
        file.attributes.setOpen(true).setWriteGeneration(file.attributes.getWriteGeneration() + 1);
        return Reply.ok(AppendReply.newBuilder().setAttributes(file.attributes).build());
    }

    /** Recovery takes no time here. */
    private Reply abandon(long session, AbandonRequest request) {
        File file = find(request.getMetafile());
        FsError error = refusal(file, session, request.getWriteGeneration(), List.of());
        if (file == null || error != FsError.OK) {
            return Reply.refused(Kind.ABANDON, error, "abandon of " + new Handle(request.getMetafile()));
        }
        file.attributes.setOpen(false).clearFlushedLength().setWriteGeneration(request.getWriteGeneration() + 1);
        return Reply.ok(AbandonReply.getDefaultInstance());
    }

    private Reply createMetafile(long session, CreateMetafileRequest request) {
        File file = newFile(
                session,
                CreateRequest.newBuilder()
                        .setMode(request.getMode())
                        .setWidth(request.getWidth())
                        .setStripSize(request.getStripSize())
                        .build());
        for (AttachedColumn column : request.getColumnsList()) {
            file.attributes
                    .getLayoutBuilder()
                    .setServers(column.getIndex(), new Handle(column.getDatafile()).owner())
                    .setDatafiles(column.getIndex(), column.getDatafile());
        }
        unlinked.put(file.attributes.getHandle(), file);
        return Reply.ok(
                CreateMetafileReply.newBuilder().setAttributes(file.attributes).build());
    }

    private Reply link(LinkRequest request) {
        String path = request.getLocation().getPath();
        if (files.containsKey(path) && !request.getOverwrite()) {
            return Reply.refused(Kind.LINK, FsError.ALREADY_EXISTS, "/" + path + " exists");
        }
        File file = unlinked.remove(request.getMetafile());
        if (file == null) {
            return Reply.refused(Kind.LINK, FsError.NOT_FOUND, "no metafile without a name");
        }
        file.attributes.setGroup("staff");
        files.put(path, file);
        return Reply.ok(LinkReply.newBuilder().setGroup("staff").build());
    }

    private File newFile(long session, CreateRequest request) {
        int width = request.getWidth() == 0 ? map.getWidth() : request.getWidth();
        Layout.Builder layout = Layout.newBuilder()
                .setStripSize(request.getStripSize() == 0 ? map.getStripSize() : request.getStripSize())
                .setWidth(width)
                .setReplicas(1)
                .setVersion(1);
        List<Integer> io = new ArrayList<>();
        for (ClusterMap.Server server : map.getServersList()) {
            if (server.getRole() == ClusterMap.Role.IO) {
                io.add(server.getId());
            }
        }
        for (int column = 0; column < width; column++) {
            layout.addServers(io.get((rotation + column) % io.size())).addDatafiles(0);
        }
        rotation++;
        Attributes.Builder attributes = Attributes.newBuilder()
                .setHandle(Handle.of(Handle.shardOwner(0), 0, ++sequence).value())
                .setType(FileType.FILE)
                .setMode(request.getMode())
                .setOpen(true)
                .setWriteGeneration(1)
                .setVersion(1)
                .setLayout(layout);
        return new File(attributes, session);
    }

    private @Nullable File find(long metafile) {
        for (File file : files.values()) {
            if (file.attributes.getHandle() == metafile) {
                return file;
            }
        }
        return unlinked.get(metafile);
    }

    private FsError refusal(@Nullable File file, long session, long generation, List<AttachedColumn> columns) {
        if (file == null) {
            return FsError.NOT_FOUND;
        }
        if (file.writer != session || !file.attributes.getOpen()) {
            return FsError.NOT_WRITER;
        }
        if (file.attributes.getWriteGeneration() != generation) {
            return FsError.STALE_GENERATION;
        }
        for (AttachedColumn column : columns) {
            long known = file.attributes.getLayout().getDatafiles(column.getIndex());
            if (known != 0 && known != column.getDatafile()) {
                return FsError.ALREADY_ATTACHED;
            }
        }
        for (AttachedColumn column : columns) {
            file.attributes.getLayoutBuilder().setDatafiles(column.getIndex(), column.getDatafile());
        }
        return FsError.OK;
    }

    private Reply attach(long session, AttachRequest request) {
        File file = find(request.getMetafile());
        FsError error = refusal(file, session, request.getWriteGeneration(), request.getColumnsList());
        if (file == null || error != FsError.OK) {
            return Reply.refused(Kind.ATTACH, error, "attach to " + new Handle(request.getMetafile()));
        }
        if (request.getFlushedLength() != 0) {
            file.attributes.setFlushedLength(Math.max(file.attributes.getFlushedLength(), request.getFlushedLength()));
        }
        if (request.getSyncedLength() != 0) {
            file.attributes.setLength(Math.max(file.attributes.getLength(), request.getSyncedLength()));
        }
        return Reply.ok(
                AttachReply.newBuilder().setLayout(file.attributes.getLayout()).build());
    }

    private Reply close(long session, CloseRequest request) {
        File file = find(request.getMetafile());
        FsError error = refusal(file, session, request.getWriteGeneration(), request.getColumnsList());
        if (file == null || error != FsError.OK) {
            return Reply.refused(Kind.CLOSE, error, "close of " + new Handle(request.getMetafile()));
        }
        file.attributes.setOpen(false).setLength(request.getLength()).clearFlushedLength();
        return Reply.ok(CloseReply.newBuilder().setAttributes(file.attributes).build());
    }
}

package io.steadfs.mds.testing;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateDatafileReply;
import io.steadfs.wire.proto.CreateDatafileRequest;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.RemoveReply;
import io.steadfs.wire.proto.RemoveRequest;
import io.steadfs.wire.proto.SealReply;
import io.steadfs.wire.proto.SealRequest;
import io.steadfs.wire.proto.TruncateReply;
import io.steadfs.wire.proto.TruncateRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** An IO server as far as a metadata server talks with it: datafiles that have a length and can be sealed, cut and removed. */
public final class FakeIoServer implements RequestHandler {
    private final int id;
    private final SortedMap<Handle, Long> lengths = new TreeMap<>();
    private final SortedMap<Handle, Long> sealed = new TreeMap<>();
    private final SortedMap<Handle, Handle> removedFor = new TreeMap<>();
    private final SortedMap<Handle, Handle> sealedFor = new TreeMap<>();
    private final Set<Handle> unreadable = new HashSet<>();
    private final Set<Handle> rotten = new HashSet<>();
    private final Map<Map.Entry<Handle, Integer>, Handle> columns = new HashMap<>();
    private final SortedMap<Handle, Handle> madeFor = new TreeMap<>();
    private long lastSequence;
    private int removeMessages;
    private int sealMessages;

    public FakeIoServer(int id) {
        this.id = id;
    }

    /** A first write of so many bytes. */
    public Handle make(long length) {
        Handle datafile = Handle.of(id, 0, ++lastSequence);
        lengths.put(datafile, length);
        return datafile;
    }

    /** Datafiles that are there, and their lengths. */
    public SortedMap<Handle, Long> lengths() {
        return lengths;
    }

    /** Metafiles of the datafiles that were asked for without bytes, by datafile. */
    public SortedMap<Handle, Handle> madeFor() {
        return madeFor;
    }

    /** Generations of sealed datafiles. */
    public SortedMap<Handle, Long> sealed() {
        return sealed;
    }

    /** Metafiles for which datafiles were to be removed, by datafile. */
    public SortedMap<Handle, Handle> removedFor() {
        return removedFor;
    }

    /** Metafiles for which datafiles were to be sealed, by datafile. */
    public SortedMap<Handle, Handle> sealedFor() {
        return sealedFor;
    }

    /** Datafiles that are kept whatever is asked, and can be neither sealed nor cut. */
    public Set<Handle> unreadable() {
        return unreadable;
    }

    /** Datafiles with a chunk that does not match its checksum: they can be sealed, and not cut. */
    public Set<Handle> rotten() {
        return rotten;
    }

    public int removeMessages() {
        return removeMessages;
    }

    public int sealMessages() {
        return sealMessages;
    }

    @Override
    public void handle(Call call) {
        call.request().payload().release();
        if (call.request().body() instanceof RemoveRequest remove) {
            call.reply(remove(remove));
        } else if (call.request().body() instanceof SealRequest seal) {
            call.reply(seal(seal));
        } else if (call.request().body() instanceof CreateDatafileRequest create) {
            call.reply(create(create));
        } else if (call.request().body() instanceof TruncateRequest truncate) {
            call.reply(truncate(truncate));
        } else {
            Kind kind = call.request().kind();
            call.reply(Reply.refused(kind, FsError.UNKNOWN_KIND, "not played here: " + kind));
        }
    }

    private Reply create(CreateDatafileRequest request) {
        Handle datafile = columns.computeIfAbsent(
                Map.entry(new Handle(request.getMetafile()), request.getIndex()), column -> make(0));
        madeFor.put(datafile, new Handle(request.getMetafile()));
        return Reply.ok(
                CreateDatafileReply.newBuilder().setDatafile(datafile.value()).build());
    }

    private Reply remove(RemoveRequest request) {
        removeMessages++;
        RemoveReply.Builder reply = RemoveReply.newBuilder();
        int removed = 0;
        for (int i = 0; i < request.getDatafilesCount(); i++) {
            Handle datafile = new Handle(request.getDatafiles(i));
            removedFor.put(datafile, new Handle(request.getMetafiles(i)));
            if (unreadable.contains(datafile)) {
                reply.addKept(datafile.value());
            } else {
                removed += lengths.remove(datafile) != null ? 1 : 0;
            }
        }
        return Reply.ok(reply.setRemoved(removed).build());
    }

    private Reply truncate(TruncateRequest request) {
        Handle datafile = new Handle(request.getDatafile());
        Long length = lengths.get(datafile);
        if (length == null) {
            return Reply.refused(Kind.TRUNCATE, FsError.NO_SUCH_DATAFILE, "no datafile " + datafile);
        }
        if (request.getWriteGeneration() < sealed.getOrDefault(datafile, 0L)) {
            return Reply.refused(Kind.TRUNCATE, FsError.STALE_GENERATION, "datafile " + datafile + " is sealed");
        }
        if (request.getLength() > length) {
            return Reply.refused(Kind.TRUNCATE, FsError.INVALID_ARGUMENT, "datafile " + datafile + " is shorter");
        }
        if (unreadable.contains(datafile) || rotten.contains(datafile)) {
            return Reply.refused(Kind.TRUNCATE, FsError.CORRUPT, "datafile " + datafile + " is damaged");
        }
        lengths.put(datafile, request.getLength());
        return Reply.ok(TruncateReply.getDefaultInstance());
    }

    private Reply seal(SealRequest request) {
        sealMessages++;
        SealReply.Builder reply = SealReply.newBuilder();
        for (long value : request.getDatafilesList()) {
            Handle datafile = new Handle(value);
            sealedFor.put(datafile, new Handle(request.getMetafile()));
            Long length = lengths.get(datafile);
            DatafileState.Builder state = DatafileState.newBuilder().setDatafile(value);
            if (length == null) {
                state.setError(FsError.NO_SUCH_DATAFILE.code()).setMessage("no datafile " + datafile);
            } else if (unreadable.contains(datafile)) {
                state.setError(FsError.CORRUPT.code()).setMessage("datafile " + datafile + " is damaged");
            } else if (request.getWriteGeneration() < sealed.getOrDefault(datafile, 0L)) {
                state.setError(FsError.STALE_GENERATION.code())
                        .setMessage("datafile " + datafile + " is sealed under a later generation")
                        .setWriteGeneration(sealed.getOrDefault(datafile, 0L));
            } else {
                sealed.put(datafile, request.getWriteGeneration());
                state.setLength(length).setWriteGeneration(request.getWriteGeneration());
            }
            reply.addDatafiles(state);
        }
        return Reply.ok(reply.build());
    }
}

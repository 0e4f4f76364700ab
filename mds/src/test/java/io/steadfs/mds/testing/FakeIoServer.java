package io.steadfs.mds.testing;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.RemoveReply;
import io.steadfs.wire.proto.RemoveRequest;
import io.steadfs.wire.proto.SealReply;
import io.steadfs.wire.proto.SealRequest;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** An IO server as far as a metadata server talks with it: datafiles that have a length and can be sealed and removed. */
public final class FakeIoServer implements RequestHandler {
    private final int id;
    private final SortedMap<Handle, Long> lengths = new TreeMap<>();
    private final SortedMap<Handle, Long> sealed = new TreeMap<>();
    private final SortedMap<Handle, Handle> removedFor = new TreeMap<>();
    private final SortedMap<Handle, Handle> sealedFor = new TreeMap<>();
    private final Set<Handle> unreadable = new HashSet<>();
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

    /** Datafiles that are kept whatever is asked. */
    public Set<Handle> unreadable() {
        return unreadable;
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
        } else {
            Kind kind = call.request().kind();
            call.reply(Reply.refused(kind, FsError.UNKNOWN_KIND, "not played here: " + kind));
        }
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
            } else {
                long generation = Math.max(sealed.getOrDefault(datafile, 0L), request.getWriteGeneration());
                sealed.put(datafile, generation);
                state.setLength(length).setWriteGeneration(generation);
            }
            reply.addDatafiles(state);
        }
        return Reply.ok(reply.build());
    }
}

package io.steadfs.timeline;

import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.recent.RecentMessage;
import io.steadfs.recent.RecentMessages;
import io.steadfs.wire.Kind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Makes one create of a client, to show its timeline. The files are in a directory of their own, which is removed on close with everything
 * in it. Earlier creates open the session and lease handles, so that the client is like one that has worked for a while. A file stays open
 * until the probe is closed, because its close belongs to the same operation as the create.
 */
public final class CreateProbe implements AutoCloseable {
    private static final int STRIP_BYTES = 64 << 10;

    private final SteadFs fs;
    private final RecentMessages sent;
    private final Gathering gathering;
    private final FsPath folder;
    private final int columns;
    private final Deque<FileWriter> open = new ArrayDeque<>();
    private boolean made;
    private long traceId;

    /**
     * @param fs uses the protocol to be shown
     * @param sent the messages that this client sent lately
     * @param folder that does not exist yet
     */
    public CreateProbe(SteadFs fs, RecentMessages sent, Gathering gathering, FsPath folder, int columns) {
        this.fs = fs;
        this.sent = sent;
        this.gathering = gathering;
        this.folder = folder;
        this.columns = columns;
    }

    /**
     * Makes the directory, and this many files.
     *
     * @throws FsException ALREADY_EXISTS if something has its name
     */
    public void prepare(int files) throws FsException {
        var unused = fs.mkdirs(folder, 0700, false, true);
        made = true;
        for (int i = 0; i < files; i++) {
            open("before-" + i);
        }
    }

    /** The create itself. */
    public void create() throws FsException {
        long before = newest(0).map(RecentMessage::number).orElse(0L);
        open("probe");
        traceId = newest(before)
                .map(RecentMessage::traceId)
                .orElseThrow(() -> new FsException(
                        FsError.INVALID_ARGUMENT,
                        "the client keeps " + sent.length() + " messages (" + RecentMessages.LENGTH.name()
                                + "), and the create is not among them"));
    }

    /** The last message that made a metafile, if it came after this number. */
    private Optional<RecentMessage> newest(long before) {
        return sent.page(0, 0, RecentMessages.PAGE).messages().stream()
                .filter(message -> message.number() > before && !message.received())
                .filter(message -> message.kind() == Kind.CREATE || message.kind() == Kind.CREATE_METAFILE)
                .findFirst();
    }

    /** The messages of the create, from the client and all servers; after {@link #create}. */
    public Timeline timeline() throws FsException {
        List<RecentMessage> own = sent.of(traceId);
        return gathering.timeline(fs.knownClusterMap(), traceId, own);
    }

    private void open(String name) throws FsException {
        open.push(fs.create(folder.child(name), CreateOptions.DEFAULT.withLayout(columns, STRIP_BYTES)));
    }

    /** Closes the files and removes them. */
    @Override
    public void close() throws IOException {
        try {
            while (!open.isEmpty()) {
                open.pop().close();
            }
        } finally {
            if (made) {
                made = false;
                fs.delete(folder, true);
            }
        }
    }
}

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
 * One create of a client, to see its timeline: in a directory of its own, which is removed on close with all that is in
 * it. Creates before that one open the session and lease handles, as those of a client that has worked for a while. A
 * file stays open until the close, for that belongs to the same operation as the create.
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
     * @param fs goes by the protocol to be seen
     * @param sent what that client sent lately
     * @param folder that is not there yet
     */
    public CreateProbe(SteadFs fs, RecentMessages sent, Gathering gathering, FsPath folder, int columns) {
        this.fs = fs;
        this.sent = sent;
        this.gathering = gathering;
        this.folder = folder;
        this.columns = columns;
    }

    /**
     * Makes the directory, and so many files.
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

    /** The last message that made a metafile, if it came behind this number. */
    private Optional<RecentMessage> newest(long before) {
        return sent.page(0, 0, RecentMessages.PAGE).messages().stream()
                .filter(message -> message.number() > before && !message.received())
                .filter(message -> message.kind() == Kind.CREATE || message.kind() == Kind.CREATE_METAFILE)
                .findFirst();
    }

    /** After {@link #create}: what the client and all servers have of it. */
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

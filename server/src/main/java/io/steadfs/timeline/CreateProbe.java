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
 * Creates one file with a client, to show the timeline of that create. The probe makes a directory for its files, and
 * removes this directory on close. Earlier creates open the session and lease handles, because a client that has worked
 * for a while has both. A file stays open until the probe is closed, because a file's close belongs to the same
 * operation as its create.
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
     * @param fs the client, which uses the create protocol to show
     * @param sent the recent messages of this client
     * @param folder the probe's directory, which must not exist yet
     * @param columns the number of columns of each file
     */
    public CreateProbe(SteadFs fs, RecentMessages sent, Gathering gathering, FsPath folder, int columns) {
        this.fs = fs;
        this.sent = sent;
        this.gathering = gathering;
        this.folder = folder;
        this.columns = columns;
    }

    /**
     * Makes the directory and this many files.
     *
     * @throws FsException ALREADY_EXISTS if the directory's name is already taken
     */
    public void prepare(int files) throws FsException {
        var unused = fs.mkdirs(folder, 0700, false, true);
        made = true;
        for (int i = 0; i < files; i++) {
            open("before-" + i);
        }
    }

    /** Makes the create whose timeline is shown. */
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

    /**
     * The newest message that made a metafile.
     *
     * @param before only messages with higher numbers are searched
     */
    private Optional<RecentMessage> newest(long before) {
        return sent.page(0, 0, RecentMessages.PAGE).messages().stream()
                .filter(message -> message.number() > before && !message.received())
                .filter(message -> message.kind() == Kind.CREATE || message.kind() == Kind.CREATE_METAFILE)
                .findFirst();
    }

    /**
     * The timeline of the create, with messages of the client and of all servers. Callers must call {@link #create}
     * first.
     */
    public Timeline timeline() throws FsException {
        List<RecentMessage> own = sent.of(traceId);
        return gathering.timeline(fs.knownClusterMap(), traceId, own);
    }

    private void open(String name) throws FsException {
        open.push(fs.create(folder.child(name), CreateOptions.DEFAULT.withLayout(columns, STRIP_BYTES)));
    }

    /** Closes and removes all files of the probe. */
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

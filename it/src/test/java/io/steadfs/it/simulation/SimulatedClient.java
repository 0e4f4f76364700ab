package io.steadfs.it.simulation;

import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.Walk;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.StripedReader;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.Resolver;
import io.steadfs.handle.Handle;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Caller;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A user's program: does its steps one after the other, and goes on whatever they are answered. When its process ends,
 * the next one goes on after the step that was under way.
 */
final class SimulatedClient {
    /** Anybody may write what anybody makes. */
    private static final CreateOptions TWO_COLUMNS =
            new CreateOptions(0666, false, true, 0777, 0, 0, 0).withLayout(2, 1 << 16);

    /** Where directories move away, none is made in their place. */
    private static final CreateOptions WITHOUT_PARENTS =
            new CreateOptions(0666, false, false, 0777, 0, 0, 0).withLayout(2, 1 << 16);

    private static final String XATTR = "user.of";
    private static final byte[] A_FEW_PARTITIONS = "30000".getBytes(StandardCharsets.UTF_8);

    private final Who who;
    private final List<Step> steps;
    private final Surroundings around;
    private final List<ServerAddress> servers;
    private final Journal journal;
    private int next;
    private int lives;
    private Optional<Life> life = Optional.empty();

    /**
     * A user's program.
     *
     * @param name the same for all its processes
     * @param patienceMillis after which an operation fails without an answer
     */
    record Who(String name, String user, long patienceMillis) {}

    SimulatedClient(Who who, List<Step> steps, Surroundings around, List<ServerAddress> servers, Journal journal) {
        this.who = who;
        this.steps = steps;
        this.around = around;
        this.servers = servers;
        this.journal = journal;
    }

    /** Spreads the directory over a few partitions, if it is empty. */
    static CompletableFuture<Void> spread(AsyncSteadFs fs, FsPath path) {
        return fs.attributes().setXattr(path, DirectoryHints.EXPECTED_FILES, A_FEW_PARTITIONS, true, true);
    }

    /** The same for all its processes. */
    String name() {
        return who.name();
    }

    Optional<SimulatedProcess> process() {
        return life.map(alive -> alive.process);
    }

    boolean isDone() {
        return next >= steps.size() && life.map(alive -> alive.idle).orElse(true);
    }

    void start() {
        lives++;
        Life started = new Life();
        life = Optional.of(started);
        started.goOn();
    }

    /** Its process ends; what it was at is never told. */
    void crash() {
        life.ifPresent(ended -> ended.process.kill());
        life = Optional.empty();
    }

    /** Its last process ends in order. */
    CompletableFuture<Void> close() {
        return life.map(alive -> alive.fs.close()).orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** What its process does the steps with. */
    AsyncSteadFs fs() {
        return life.orElseThrow().fs;
    }

    private final class Life {
        private final SimulatedProcess process = around.process(name(), 0);
        private final AsyncSteadFs fs;
        private boolean idle = true;

        Life() {
            Seams seams = new Seams(process, around.points());
            fs = new AsyncSteadFs(
                    seams.transport(around.network().client(name())),
                    process,
                    process,
                    new SplittableRandom(around.random().nextLong()),
                    around.settings()
                            .with(Map.of("stead.client.operation.timeout", Long.toString(who.patienceMillis()))),
                    servers,
                    Caller.newBuilder().setUser(who.user()).build());
        }

        void goOn() {
            if (next >= steps.size()) {
                return;
            }
            Step step = steps.get(next);
            process.after(step.pauseMillis(), () -> {
                next++;
                idle = false;
                begin(step);
            });
        }

        private void begin(Step step) {
            switch (step.verb()) {
                case MKDIR -> act(step, fs.names().mkdirs(Names.path(step.name()), 0777, false, true), Life::seen);
                case CREATE, REPLACE -> {
                    CreateOptions options = WITHOUT_PARENTS.withOverwrite(step.verb() == Step.IoOperation.REPLACE);
                    CompletableFuture<StripedWriter> writer = fs.writes().create(Names.path(step.name()), options);
                    act(step, writer, made -> made.info());
                    write(step, writer);
                }
                case APPEND -> write(step, fs.writes().append(Names.path(step.name())));
                case RECOVER -> {
                    var unused =
                            fs.writes().recoverLease(Names.path(step.name())).whenComplete((closed, failure) -> over());
                }
                case TAKE -> {
                    var unused = fs.writes()
                            .recoverLease(Names.path(step.name()))
                            .whenComplete((closed, failure) -> {
                                if (failure == null) {
                                    write(step, fs.writes().append(Names.path(step.name())));
                                } else {
                                    over();
                                }
                            });
                }
                case DELETE -> act(step, fs.names().delete(Names.path(step.name()), false), Life::unseen);
                case RENAME ->
                    act(
                            step,
                            fs.names().rename(Names.path(step.name()), Names.path(step.other()), step.mode()),
                            Life::unseen);
                case AWAY, CLOSE, REMOVE -> {
                    CompletableFuture<?> changed = changeDirectory(step);
                    note(step, changed, Life::unseen);
                    var unused = changed.handle((done, failure) -> step.looking())
                            .thenCompose(this::look)
                            // Others have time to look, too, at what is so only for a while.
                            .whenComplete((seen, failure) ->
                                    process.after(4 * step.pauseMillis(), () -> begin(step.undoing())));
                }
                case BACK, OPEN, REMAKE -> act(step, changeDirectory(step), Life::unseen);
                case STAT, STAT_AWAY -> {
                    var unused = look(step).whenComplete((seen, failure) -> over());
                }
                case READ -> read(step, Names.path(step.name()));
                case LIST -> wild(step, Walk.directory(fs, Names.holder(step.name() / Names.IN_DIRECTORY)));
                case LEAVE -> leave();
                default -> wild(step, doWild(step, Names.wild(step.name())));
            }
        }

        private CompletableFuture<FileInfo> look(Step step) {
            boolean isAway = step.verb() == Step.IoOperation.STAT_AWAY;
            FsPath path = isAway ? Names.pathAway(step.name(), step.mode()) : Names.path(step.name());
            CompletableFuture<FileInfo> info = fs.attributes().stat(path);
            note(step, info, Life::seen);
            return info;
        }

        private void leave() {
            var unused = fs.close().whenComplete((nothing, failure) -> {
                process.kill();
                start();
            });
        }

        private CompletableFuture<?> doWild(Step step, FsPath path) {
            return switch (step.verb()) {
                case WILD_MAKE ->
                    around.spreads() && step.bytes() % 2 == 0
                            ? fs.names().mkdirs(path, 0777, true, false).thenCompose(made -> spread(fs, path))
                            : fs.names().mkdirs(path, 0777, true, false);
                case WILD_CREATE ->
                    fs.writes()
                            .create(path, TWO_COLUMNS.withOverwrite(step.mode() == RenameMode.OVERWRITE))
                            .thenCompose(writer -> writeWild(step, writer));
                case WILD_APPEND -> fs.writes().append(path).thenCompose(writer -> writeWild(step, writer));
                case WILD_CUT -> fs.writes().truncate(path, step.bytes());
                case WILD_READ -> fs.reads().open(path).thenCompose(reader -> readWild(step, reader));
                case WILD_MOVE -> fs.names().rename(path, Names.wild(step.other()), step.mode());
                case WILD_DELETE -> fs.names().delete(path, true);
                case WILD_LIST ->
                    Walk.directory(fs, path).thenCompose(listed -> fs.lists().partitions(path));
                case WILD_SUM -> fs.lists().contentSummary(Names.wildRoot());
                case WILD_MODE -> fs.attributes().setAttributes(path, AttributeChange.mode(0777 - step.bytes() % 2));
                case WILD_SET_XATTR -> fs.attributes().setXattr(path, XATTR, new byte[step.bytes() % 5000], true, true);
                case WILD_GET_XATTRS -> fs.attributes().getXattrs(path, List.of());
                case WILD_LINK ->
                    fs.names().createSymlink(path, Names.wild(step.other()).toString(), true, 0777);
                case WILD_REMOVE_XATTR -> fs.attributes().removeXattr(path, XATTR);
                default -> throw new IllegalArgumentException(step + " is not of the wild tree");
            };
        }

        /** One part, visible or durable; then, without a byte more, durable. */
        private CompletableFuture<?> writeWild(Step step, StripedWriter writer) {
            byte[] bytes = Contents.wild(writer.info().handle(), writer.position(), step.bytes());
            try {
                writer.append(bytes, 0, bytes.length);
            } catch (FsException e) {
                return CompletableFuture.failedFuture(e);
            }
            return (step.sync() ? writer.hsync() : writer.hflush())
                    .thenCompose(done -> step.parts() > 1 ? writer.hsync() : CompletableFuture.completedFuture(null))
                    .thenCompose(done -> writer.close());
        }

        private CompletableFuture<?> readWild(Step step, StripedReader reader) {
            Handle file = reader.info().handle();
            ByteBuffer target = ByteBuffer.allocate((int) Math.min(1 << 20, reader.length()));
            return fill(reader, target)
                    .thenCompose(done -> reader.compositeCrc())
                    .handle((crc, failure) -> {
                        int wrong = Contents.wrongWild(file, target.array(), target.position());
                        if (wrong >= 0) {
                            journal.violation(step + ": byte " + wrong + " is not that of " + file);
                        }
                        return null;
                    });
        }

        private static @Nullable FileInfo seen(FileInfo info) {
            return info;
        }

        private static @Nullable FileInfo unseen(Object nothing) {
            return null;
        }

        private interface Sight<T> {
            @Nullable
            FileInfo of(T answer);
        }

        /** Of the name. */
        private CompletableFuture<?> changeDirectory(Step step) {
            FsPath directory = Names.directory(step.name() / Names.IN_DIRECTORY);
            FsPath away = Names.away(step.name(), step.mode());
            return switch (step.verb()) {
                case AWAY -> fs.names().rename(directory, away, RenameMode.NO_REPLACE);
                case BACK -> fs.names().rename(away, directory, RenameMode.NO_REPLACE);
                case CLOSE -> fs.attributes().setAttributes(directory, AttributeChange.mode(0776));
                case OPEN -> fs.attributes().setAttributes(directory, AttributeChange.mode(0777));
                case REMOVE -> fs.names().delete(directory, true);
                case REMAKE -> fs.names().mkdirs(directory, 0777, false, true);
                default -> throw new IllegalArgumentException(step + " changes no directory");
            };
        }

        /** Notes what the operation was answered; the step is over then, unless it goes on to write. */
        private <T> void act(Step step, CompletableFuture<T> answer, Sight<T> sight) {
            note(step, answer, sight);
            var unused = answer.whenComplete((value, failure) -> {
                boolean writes = step.verb() == Step.IoOperation.CREATE || step.verb() == Step.IoOperation.REPLACE;
                if (!writes || failure != null) {
                    over();
                }
            });
        }

        private <T> void note(Step step, CompletableFuture<T> answer, Sight<T> sight) {
            Journal.Begun begun = journal.begin(name() + "." + lives, who.user(), step, now());
            long doubledBefore = around.network().doubled(name());
            var unused = answer.whenComplete((value, failure) -> {
                long now = now();
                if (failure == null) {
                    Optional<FileInfo> info = Optional.ofNullable(sight.of(value));
                    begun.end(
                            now,
                            FsError.OK,
                            info.map(FileInfo::handle).orElse(Handle.NONE),
                            info.map(FileInfo::directory).orElse(false));
                } else {
                    boolean doubled = around.network().doubled(name()) > doubledBefore;
                    begun.end(now, told(error(failure), doubled), Handle.NONE, false);
                }
            });
        }

        private void wild(Step step, CompletableFuture<?> answer) {
            var unused = answer.whenComplete((value, failure) -> {
                journal.answered(step, failure == null ? FsError.OK : error(failure));
                over();
            });
        }

        private void write(Step step, CompletableFuture<StripedWriter> opened) {
            long begun = now();
            var unused = opened.whenComplete((writer, failure) -> {
                if (failure != null) {
                    if (step.verb() == Step.IoOperation.APPEND || step.verb() == Step.IoOperation.TAKE) {
                        journal.answered(step, error(failure));
                        over();
                    }
                    return;
                }
                write(step, writer, begun);
            });
        }

        private void write(Step step, StripedWriter writer, long begun) {
            Handle file = writer.info().handle();
            long start = writer.position();
            long durable = journal.contents().least(file, begun);
            if (start < durable) {
                journal.violation(step + ": continues " + file + " at " + start + " of " + durable + " bytes");
            }
            // Whoever takes a file that is open raises its generation once more than whoever appends to a closed one.
            checkClosed(step, file, writer.info().writeGeneration() - 1, begun);
            writePart(step, writer, journal.contents().open(file, writer.info().writeGeneration(), start), 1);
        }

        /** Writes one part and makes it visible or durable; then the next after a pause, or closes the file. */
        private void writePart(Step step, StripedWriter writer, Contents.Writer contents, int part) {
            // Some have nothing to write at first: so they have no datafile when another takes the file.
            boolean waits = part < step.parts() && step.name() % 2 == 0;
            byte[] bytes = contents.next(waits ? 0 : step.bytes());
            try {
                int taken = writer.append(bytes, 0, bytes.length);
                if (taken != bytes.length) {
                    throw new AssertionError("a writer took " + taken + " of " + bytes.length + " bytes");
                }
            } catch (FsException e) {
                over();
                return;
            }
            if (part == step.parts()) {
                close(step, writer, contents);
                return;
            }
            var unused = (step.sync() ? writer.hsync() : writer.hflush()).whenComplete((value, failure) -> {
                checkFailure(step, writer, failure);
                if (failure == null) {
                    contents.flushed(now());
                }
                if (failure == null && step.sync()) {
                    contents.synced(now());
                }
                process.after(10 * step.pauseMillis(), () -> writePart(step, writer, contents, part + 1));
            });
        }

        private void close(Step step, StripedWriter writer, Contents.Writer contents) {
            contents.closing();
            var unused = writer.close().whenComplete((nothing, failure) -> {
                checkFailure(step, writer, failure);
                if (failure == null) {
                    contents.closed(now());
                }
                over();
            });
        }

        /** A file that was found closed at this write generation since that moment was closed by its writer. */
        private void checkClosed(Step step, Handle file, long generation, long begun) {
            if (journal.contents().mustBeOpen(file, generation, begun)) {
                journal.violation(step + ": " + file + " is closed at write generation " + generation
                        + ", but not by its writer");
            }
        }

        /** A writer may lose its file. It never meets bytes of another writer behind its own. */
        private void checkFailure(Step step, StripedWriter writer, @Nullable Throwable failure) {
            if (failure != null && error(failure) == FsError.WRITE_CONFLICT) {
                journal.violation(step + ": " + writer.info().handle() + " has bytes of another writer: " + failure);
            }
        }

        private void read(Step step, FsPath path) {
            long begun = now();
            var unused = fs.reads().open(path).whenComplete((reader, failure) -> {
                if (failure != null) {
                    over();
                } else {
                    read(step, reader, begun);
                }
            });
        }

        private void read(Step step, StripedReader reader, long begun) {
            Handle file = reader.info().handle();
            long promised = journal.contents().least(file, begun);
            long flushed = journal.contents().leastTold(file, reader.info().writeGeneration(), begun);
            if (reader.info().length() < flushed) {
                journal.violation(step + ": " + file + " is told to have "
                        + reader.info().length() + " bytes, of " + flushed + " that were flushed");
            }
            if (!reader.info().open()) {
                checkClosed(step, file, reader.info().writeGeneration(), begun);
            }
            boolean closed = journal.contents().wasClosed(file, begun);
            ByteBuffer target = ByteBuffer.allocate((int) Math.min(1 << 20, reader.length()));
            if (closed && reader.length() < promised) {
                journal.violation(step + ": " + file + " has " + reader.length() + " bytes, of " + promised);
            }
            var unused = fill(reader, target).whenComplete((nothing, failure) -> {
                int wrong = journal.contents().wrong(file, target.array(), target.position());
                if (wrong >= 0) {
                    journal.violation(step + ": byte " + wrong + " is not that of " + file);
                }
                if (failure != null && error(failure) == FsError.CORRUPT && closed) {
                    journal.violation(step + ": " + file + " is closed, but " + failure);
                }
                over();
            });
        }

        private long now() {
            return around.time().monotonicNanos();
        }

        private void over() {
            idle = true;
            goOn();
        }
    }

    /** Reads until the buffer is full or the file ends. */
    static CompletableFuture<Void> fill(StripedReader reader, ByteBuffer target) {
        if (!target.hasRemaining()) {
            return CompletableFuture.completedFuture(null);
        }
        return reader.read(target.position(), target)
                .thenCompose(count -> count <= 0 ? CompletableFuture.completedFuture(null) : fill(reader, target));
    }

    /**
     * What an error says of whether the operation was done. A first try that is refused for want of space is not
     * recorded; where the network doubles it by itself, as no connection does, its second arrival may find room.
     */
    private static FsError told(FsError error, boolean doubled) {
        return error == FsError.NO_SPACE && doubled ? FsError.TIMED_OUT : error;
    }

    static FsError error(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof FsException refused ? refused.error() : FsError.FAULT;
    }

    /** Whether the error says for sure that nothing was done. */
    static boolean isRefusal(FsError error) {
        return error.resolver() == Resolver.CALLER || error == FsError.NO_SPACE;
    }
}

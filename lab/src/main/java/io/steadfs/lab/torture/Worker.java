package io.steadfs.lab.torture;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.lab.torture.OwnTree.Dir;
import io.steadfs.lab.torture.OwnTree.Node;
import io.steadfs.lab.torture.OwnTree.Written;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One thread of a client. The thread does random operations from a seed.
 *
 * <p>Some operations are in a directory of the thread's own, where the thread knows the right answers. Other operations
 * are in directories that all clients share.
 *
 * <p>The history gets a line before each operation and another line after its answer.
 */
final class Worker implements Runnable {
    /** Directory of the names that all clients share and compete for. */
    static final String SHARED = "/shared";

    static final int SHARED_DIRECTORIES = 4;
    private static final int SHARED_NAMES = 8;
    private static final int RACED_DIRECTORIES = 5;

    private static final int CLOSED_MODE = 0600;
    private static final int OTHER_MODE = 0711;

    private static final int SHARED_WIDE = 400;

    private static final int ROOMS = 3;
    private static final int FILES = 24;
    /** Most and least names of a thread in a directory of several threads. */
    private static final int MOST_WIDE = 400;

    private static final int LEAST_WIDE = 10;

    /** For so long all threads together make more names, and then they remove more for as long. */
    private static final long WAVE_NANOS = TimeUnit.SECONDS.toNanos(90);

    private static final int OPEN_FILES = 2;
    private static final int LARGEST = 3 << 20;
    private static final int PAUSE_MILLIS = 20;

    /** An operation on the file system. It returns its results in the form that the history records. */
    private interface Asked {
        List<String> run() throws IOException;
    }

    private record OpenFile(Written file, FileWriter writer, String path) {}

    private final SteadFs fs;
    private final History history;
    private final String client;
    private final int thread;
    private final Random random;
    private final long beganNanos;
    private final int number;
    private final long firstFileId;
    private final BooleanSupplier stopped;
    private final OwnReplay own;
    private final List<OpenFile> open = new ArrayList<>();
    private int names;

    /**
     * @param own what the thread's own names are, with what earlier clients did of which it goes on with the names
     * @param beganNanos when the run began, by the monotonic clock that all processes of the machine share
     * @param number of the client; no other client of the run has it
     * @param firstFileId first of the file ids that belong to this thread alone
     * @param stopped asked between operations; true = end
     */
    Worker(
            SteadFs fs,
            History history,
            String client,
            int thread,
            OwnReplay own,
            long beganNanos,
            int number,
            long seed,
            long firstFileId,
            BooleanSupplier stopped) {
        this.fs = fs;
        this.history = history;
        this.client = client;
        this.thread = thread;
        this.random = new Random(seed);
        this.firstFileId = firstFileId;
        this.stopped = stopped;
        this.own = own;
        this.beganNanos = beganNanos;
        this.number = number;
    }

    @Override
    public void run() {
        try {
            makeBase();
            while (!stopped.getAsBoolean()) {
                step();
                TimeUnit.MILLISECONDS.sleep(random.nextInt(PAUSE_MILLIS));
            }
            while (!open.isEmpty()) {
                close(open.get(0));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the history cannot be written", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Creates the directories that the operations need. The history leaves this out, because doing it twice is
     * harmless.
     */
    private void makeBase() throws InterruptedException {
        while (!stopped.getAsBoolean()) {
            try {
                fs.mkdirs(path(own.place().base()), 0755, true, false);
                fs.mkdirs(path(SHARED + "/race"), 0755, true, false);
                for (int i = 0; i < SHARED_DIRECTORIES; i++) {
                    fs.mkdirs(path(SHARED + "/s" + i), 0755, true, false);
                }
                return;
            } catch (IOException e) {
                System.err.println("cannot begin: " + e.getMessage());
                TimeUnit.MILLISECONDS.sleep(500);
            }
        }
    }

    private void step() throws IOException {
        int dice = random.nextInt(100);
        boolean wide = own.place().isShared();
        if (dice < 25) {
            shared(dice);
        } else if (own.tree().root.entries.isEmpty() || dice < 30) {
            makeDirectory();
        } else if (rooms().isEmpty() && !wide) {
            mode();
        } else if (wide && dice < 45) {
            wave();
        } else if (dice < 55) {
            write();
        } else if (dice < 65) {
            read();
        } else if (dice < 70) {
            look();
        } else if (dice < 74) {
            mode();
        } else if (dice < 86) {
            rename();
        } else if (dice < 96) {
            delete();
        } else {
            refused();
        }
    }

    // Contents of the thread's own directory.

    /** Rooms that are not closed. */
    private List<String> rooms() {
        return own.tree().root.entries.entrySet().stream()
                .filter(room -> room.getValue() instanceof Dir dir && dir.isOpen())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Paths of directories that are closed, and to which the way is open. */
    private List<String> closed() {
        List<String> closed = new ArrayList<>();
        collectClosed("", own.tree().root, closed);
        return closed;
    }

    private static void collectClosed(String prefix, Dir dir, List<String> into) {
        dir.entries.forEach((name, node) -> {
            if (node instanceof Dir below && below.isOpen()) {
                collectClosed(prefix + name + "/", below, into);
            } else if (node instanceof Dir) {
                into.add(prefix + name);
            }
        });
    }

    /** Paths to which the way is open; of directories only such as are open too. */
    private List<String> paths(boolean directories) {
        List<String> paths = new ArrayList<>();
        collect("", own.tree().root, directories, paths);
        return paths;
    }

    private static void collect(String prefix, Dir dir, boolean directories, List<String> into) {
        for (Map.Entry<String, Node> entry : dir.entries.entrySet()) {
            String path = prefix + entry.getKey();
            if (entry.getValue() instanceof Dir below) {
                if (directories && below.isOpen()) {
                    into.add(path);
                }
                if (below.isOpen()) {
                    collect(path + "/", below, directories, into);
                }
            } else if (!directories) {
                into.add(path);
            }
        }
    }

    private Optional<String> any(List<String> paths) {
        return paths.isEmpty() ? Optional.empty() : Optional.of(paths.get(random.nextInt(paths.size())));
    }

    private String absolute(String path) {
        return own.place().absolute(path);
    }

    private String freshName(String kind) {
        return own.place().isShared() ? own.place().prefix() + kind + number + "-" + names++ : kind + names++;
    }

    /** Returns a path that nothing has, in one of the thread's directories. */
    private String freshPath(String kind) {
        boolean atTop = own.place().isShared() && random.nextInt(8) != 0;
        Optional<String> directory = atTop ? Optional.empty() : any(paths(true));
        return directory.map(path -> path + "/").orElse("") + freshName(kind);
    }

    // Operations in the thread's own directory.

    private void makeDirectory() throws IOException {
        Optional<String> parent = any(paths(true));
        boolean mayMakeRoom = own.tree().root.entries.values().stream()
                        .filter(Dir.class::isInstance)
                        .count()
                < 2 * ROOMS;
        boolean room = parent.isEmpty() || (rooms().size() < ROOMS && random.nextBoolean());
        if (room ? !mayMakeRoom : paths(true).size() > 4 * ROOMS) {
            return;
        }
        String path = absolute(room ? freshName("d") : parent.get() + "/" + freshName("d"));
        own(Event.Op.MKDIR, List.of(path), () -> {
            fs.mkdirs(path(path), 0755, false, true);
            return List.of();
        });
    }

    /** Whether the names in directories of several threads become fewer now. */
    private boolean shrinks() {
        return own.place().isShared() && (System.nanoTime() - beganNanos) / WAVE_NANOS % 2 == 1;
    }

    /** The number of files to which the thread comes in such a directory. */
    private int wideFiles() {
        return shrinks() ? LEAST_WIDE : MOST_WIDE;
    }

    /** Makes an empty file or removes a file, so that directories get many names and lose them again. */
    private void wave() throws IOException {
        List<String> files = paths(false);
        if (shrinks() ? files.size() > LEAST_WIDE : files.size() >= MOST_WIDE) {
            delete(absolute(any(files).orElseThrow()), false);
            return;
        }
        Optional<OpenFile> made = create(freshPath("f"), false);
        if (made.isPresent()) {
            close(made.get());
        }
    }

    private void write() throws IOException {
        if (!open.isEmpty() && (open.size() >= OPEN_FILES || random.nextBoolean())) {
            continueWriting(open.get(random.nextInt(open.size())));
            return;
        }
        List<String> files = paths(false);
        if (!files.isEmpty() && random.nextInt(6) == 0) {
            appendTo(any(files).orElseThrow());
            return;
        }
        int most = own.place().isShared() ? wideFiles() : FILES;
        boolean replace = files.size() >= most || (!files.isEmpty() && random.nextInt(8) == 0);
        Optional<OpenFile> made = create(replace ? any(files).orElseThrow() : freshPath("f"), replace);
        if (made.isEmpty()) {
            return;
        }
        OpenFile now = made.get();
        int size = size();
        int pieces = 1 + random.nextInt(3);
        for (int i = 0; i < pieces && open.contains(now); i++) {
            append(now, size / pieces);
            if (random.nextInt(3) == 0) {
                flush(now);
            }
        }
        if (random.nextInt(3) != 0) {
            close(now);
        }
    }

    /** Creates a file of the thread. Its writer is then among the open ones. */
    private Optional<OpenFile> create(String path, boolean replace) throws IOException {
        long id = firstFileId + names++;
        FileWriter[] writer = new FileWriter[1];
        String absolute = absolute(path);
        Event made = own(Event.Op.CREATE, List.of(absolute, Long.toString(id), replace ? "overwrite" : "new"), () -> {
            writer[0] = fs.create(
                    path(absolute), new CreateOptions(0644, replace, false, 0755, 1 + random.nextInt(4), 64 << 10, 0));
            return List.of();
        });
        if (!made.ok() || !(own.tree().find(path).orElseThrow() instanceof Written file)) {
            return Optional.empty();
        }
        OpenFile now = new OpenFile(file, writer[0], absolute);
        open.add(now);
        return Optional.of(now);
    }

    private void appendTo(String path) throws IOException {
        if (!(own.tree().find(path).orElseThrow() instanceof Written file) || !file.closed) {
            return;
        }
        FileWriter[] writer = new FileWriter[1];
        String absolute = absolute(path);
        Event opened = own(Event.Op.APPEND, List.of(absolute, Long.toString(file.id)), () -> {
            writer[0] = fs.append(path(absolute));
            return List.of(Long.toString(writer[0].position()));
        });
        if (opened.ok()) {
            OpenFile now = new OpenFile(file, writer[0], absolute);
            open.add(now);
            append(now, Content.ID_BYTES + random.nextInt(100 << 10));
            if (open.contains(now) && random.nextBoolean()) {
                close(now);
            }
        }
    }

    /** Returns 0 or a size that has room for a file id. Large sizes are rare. */
    private int size() {
        int dice = random.nextInt(100);
        if (dice < 10) {
            return 0;
        }
        int most = dice < 55 ? 4 << 10 : dice < 85 ? 200 << 10 : dice < 97 ? 1 << 20 : LARGEST;
        return 3 * Content.ID_BYTES + random.nextInt(most);
    }

    private void continueWriting(OpenFile file) throws IOException {
        switch (random.nextInt(3)) {
            case 0 -> append(file, Content.ID_BYTES + random.nextInt(300 << 10));
            case 1 -> flush(file);
            default -> close(file);
        }
    }

    private void append(OpenFile file, int length) throws IOException {
        if (length == 0) {
            return;
        }
        long from = file.file.written;
        byte[] bytes = Content.bytes(file.file.id, from, length);
        writing(file, Event.Op.WRITE, from + length, () -> {
            file.writer.write(bytes, 0, length);
            return List.of();
        });
    }

    private void flush(OpenFile file) throws IOException {
        boolean sync = random.nextBoolean();
        writing(file, sync ? Event.Op.HSYNC : Event.Op.HFLUSH, file.file.written, () -> {
            if (sync) {
                file.writer.hsync();
            } else {
                file.writer.hflush();
            }
            return List.of();
        });
    }

    /**
     * Closes an open file. A writer that failed is no longer in the list of open files. Closing such a writer again
     * would test nothing.
     */
    private void close(OpenFile file) throws IOException {
        if (!open.remove(file)) {
            return;
        }
        writing(file, Event.Op.CLOSE, file.file.written, () -> {
            file.writer.close();
            return List.of();
        });
    }

    private void writing(OpenFile file, Event.Op op, long position, Asked asked) throws IOException {
        Event event = own(op, List.of(Long.toString(file.file.id), Long.toString(position)), asked);
        if (!event.ok() && open.remove(file)) {
            try {
                file.writer.close();
            } catch (IOException e) {
                // The writer failed before, and the history holds what the failed operation answered.
            }
        }
    }

    private void read() throws IOException {
        Optional<String> path = any(paths(false));
        if (path.isPresent() && own.tree().find(path.get()).orElseThrow() instanceof Written file) {
            read(absolute(path.get()), file.id);
        }
    }

    /** @param fileId the expected id; 0 = take the id from the first bytes of the file */
    private void read(String path, long fileId) throws IOException {
        own(Event.Op.READ, List.of(path, Long.toString(fileId)), () -> {
            try (FileReader reader = fs.open(path(path))) {
                Reading reading = whole(reader, fileId);
                return List.of(
                        Long.toString(reading.length()),
                        Long.toString(reading.firstWrong()),
                        Long.toString(reading.fileId()));
            }
        });
    }

    /**
     * Reads a whole file. NOT_FOUND during the reading means that somebody deleted the file. The method then reports
     * NO_SUCH_DATAFILE, because NOT_FOUND would say that the name is missing. The name may lead to another file all the
     * time.
     */
    private static Reading whole(FileReader reader, long fileId) throws FsException {
        try {
            return Reading.whole(reader, fileId);
        } catch (FsException e) {
            throw e.error() == FsError.NOT_FOUND
                    ? new FsException(FsError.NO_SUCH_DATAFILE, String.valueOf(e.getMessage()), e)
                    : e;
        }
    }

    private void look() throws IOException {
        boolean directory = random.nextBoolean();
        if (directory && own.place().isShared() && random.nextBoolean()) {
            listAll();
            return;
        }
        Optional<String> found = any(paths(directory));
        if (found.isEmpty()) {
            return;
        }
        String path = absolute(found.get());
        if (directory && random.nextBoolean()) {
            list(path);
            return;
        }
        stat(path);
    }

    private void stat(String path) throws IOException {
        own(Event.Op.STAT, List.of(path), () -> {
            FileInfo info = fs.stat(path(path));
            return List.of(
                    info.directory() ? "D" : "F",
                    Long.toString(info.length()),
                    info.open() ? "open" : "closed",
                    Integer.toOctalString(info.mode()));
        });
    }

    /** Closes a directory to its owner or opens one, or looks at what is below a closed one. */
    private void mode() throws IOException {
        Optional<String> closed = any(closed());
        if (closed.isEmpty() || random.nextInt(4) == 0) {
            Optional<String> path = any(paths(true));
            if (path.isPresent()) {
                mode(path.get(), random.nextBoolean() ? CLOSED_MODE : OTHER_MODE);
            }
        } else if (random.nextBoolean()) {
            mode(closed.get(), Dir.USUAL_MODE);
        } else if (own.tree().find(closed.get()).orElseThrow() instanceof Dir dir && !dir.entries.isEmpty()) {
            stat(absolute(closed.get() + "/" + dir.entries.firstKey()));
        }
    }

    private void mode(String path, int mode) throws IOException {
        String absolute = absolute(path);
        own(Event.Op.MODE, List.of(absolute, Integer.toOctalString(mode)), () -> {
            fs.setAttributes(path(absolute), AttributeChange.mode(mode));
            return List.of();
        });
    }

    private void list(String path) throws IOException {
        own(
                Event.Op.LIST,
                List.of(path),
                () -> fs.listSorted(path(path)).stream().map(Entry::name).toList());
    }

    /** Lists the directory that has the names of several threads. The history gets what the thread knows. */
    private void listAll() throws IOException {
        String base = own.place().base();
        own(
                Event.Op.LIST,
                List.of(base),
                () -> own.place()
                        .ownOf(fs.listSorted(path(base)).stream()
                                .map(Entry::name)
                                .toList()));
    }

    private void rename() throws IOException {
        boolean directory = random.nextInt(3) == 0;
        Optional<String> source = any(paths(directory));
        if (source.isEmpty()) {
            return;
        }
        List<String> files = paths(false);
        boolean replace = !directory && files.size() > 1 && random.nextInt(3) == 0;
        String target;
        if (replace) {
            target = any(files).orElseThrow();
        } else if (directory && random.nextInt(3) == 0) {
            target = freshName("d");
        } else {
            target = freshPath(directory ? "d" : "f");
        }
        if (target.equals(source.get()) || target.startsWith(source.get() + "/")) {
            return;
        }
        rename(absolute(source.get()), absolute(target), replace ? RenameMode.OVERWRITE : RenameMode.NO_REPLACE);
    }

    private void rename(String source, String target, RenameMode mode) throws IOException {
        own(Event.Op.RENAME, List.of(source, target, mode.name()), () -> {
            fs.rename(path(source), path(target), mode);
            return List.of();
        });
    }

    private void delete() throws IOException {
        boolean directory = random.nextInt(4) == 0;
        Optional<String> path = any(paths(directory));
        int least = own.place().isShared() ? wideFiles() : FILES / 2;
        boolean mayDelete = directory || paths(false).size() > least;
        if (path.isPresent() && mayDelete) {
            delete(absolute(path.get()), directory);
        }
    }

    private void delete(String path, boolean recursive) throws IOException {
        own(Event.Op.DELETE, List.of(path, recursive ? "recursive" : "single"), () -> {
            fs.delete(path(path), recursive);
            return List.of();
        });
    }

    /** Does an operation that the file system must refuse. */
    private void refused() throws IOException {
        Optional<String> chosen = any(rooms());
        if (chosen.isEmpty()) {
            return;
        }
        String room = chosen.get();
        switch (random.nextInt(3)) {
            case 0 -> delete(absolute(room + "/nothing"), false);
            case 1 -> rename(absolute(room), absolute(room + "/below"), RenameMode.NO_REPLACE);
            default ->
                own(Event.Op.MKDIR, List.of(absolute(room)), () -> {
                    fs.mkdirs(path(absolute(room)), 0755, false, true);
                    return List.of();
                });
        }
    }

    // Operations on names that other threads use, too.

    private String sharedName() {
        return own.place().isShared()
                ? SHARED + "/s0/n" + random.nextInt(SHARED_WIDE)
                : SHARED + "/s" + random.nextInt(SHARED_DIRECTORIES) + "/n" + random.nextInt(SHARED_NAMES);
    }

    private String racedDirectory() {
        String path = SHARED + "/race/x" + random.nextInt(RACED_DIRECTORIES);
        return random.nextBoolean() ? path : path + "/x" + random.nextInt(RACED_DIRECTORIES);
    }

    private void shared(int dice) throws IOException {
        if (dice < 9 && shrinks()) {
            delete(sharedName(), false);
        } else if (dice < 9) {
            writeShared();
        } else if (dice < 13) {
            rename(sharedName(), sharedName(), random.nextBoolean() ? RenameMode.OVERWRITE : RenameMode.NO_REPLACE);
        } else if (dice < 15) {
            delete(sharedName(), false);
        } else if (dice < 18) {
            read(sharedName(), 0);
        } else if (dice < 19) {
            list(SHARED + "/s" + random.nextInt(SHARED_DIRECTORIES));
        } else if (dice < 21) {
            String path = racedDirectory();
            own(Event.Op.MKDIR, List.of(path), () -> {
                fs.mkdirs(path(path), 0755, false, true);
                return List.of();
            });
        } else if (dice < 23) {
            rename(racedDirectory(), racedDirectory(), RenameMode.NO_REPLACE);
        } else {
            delete(racedDirectory(), random.nextBoolean());
        }
    }

    private void writeShared() throws IOException {
        String path = sharedName();
        long id = firstFileId + names++;
        boolean replace = random.nextInt(3) == 0;
        FileWriter[] writer = new FileWriter[1];
        Event made = own(Event.Op.CREATE, List.of(path, Long.toString(id), replace ? "overwrite" : "new"), () -> {
            writer[0] = fs.create(
                    path(path), CreateOptions.DEFAULT.withOverwrite(replace).withLayout(2, 64 << 10));
            return List.of();
        });
        if (made.ok()) {
            OpenFile file = new OpenFile(new Written(id), writer[0], path);
            open.add(file);
            int length = 3 * Content.ID_BYTES + random.nextInt(150 << 10);
            append(file, length);
            file.file.written = length;
            if (open.contains(file) && random.nextInt(3) == 0) {
                flush(file);
            }
            if (open.contains(file)) {
                close(file);
            }
        }
    }

    /** Does an operation between its two lines of the history. Then the thread's replay follows the answer. */
    private Event own(Event.Op op, List<String> arguments, Asked asked) throws IOException {
        long begun = System.nanoTime();
        long id = history.begin(thread, op, arguments);
        String outcome = "OK";
        List<String> results;
        try {
            results = asked.run();
        } catch (FsException e) {
            outcome = e.error().name();
            results = List.of(oneLine(e.getMessage()));
        } catch (UncheckedIOException e) {
            outcome = e.getCause() instanceof FsException cause ? cause.error().name() : FsError.FAULT.name();
            results = List.of(oneLine(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            outcome = FsError.FAULT.name();
            results = List.of(oneLine(e.toString()));
        }
        history.end(id, thread, outcome, results);
        Event event = new Event(client, id, thread, op, arguments, begun, System.nanoTime(), outcome, results);
        if (own.concerns(event)) {
            var unused = own.apply(event);
        }
        return event;
    }

    private static String oneLine(@org.jspecify.annotations.Nullable String message) {
        return message == null ? "" : message.replaceAll("\\s+", " ");
    }

    private static FsPath path(String text) throws FsException {
        return FsPath.parse(text);
    }
}

package io.steadfs.it.power;

import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsException;
import io.steadfs.error.Resolver;
import io.steadfs.it.power.Ledger.Directory;
import io.steadfs.it.power.Ledger.State;
import io.steadfs.it.power.Ledger.Thing;
import io.steadfs.it.power.Ledger.Written;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * Changes its own tree without end, and keeps account of what it was told. Between two operations it lets the audit look:
 * it holds the read lock while it does one.
 */
final class Scribe implements Runnable {
    private static final int DIRECTORIES = 10;
    private static final int FILES = 24;
    private static final int OPEN_FILES = 3;
    private static final int STRIP = 64 << 10;
    private static final long NUMBERS = 1L << 32;

    private final SteadFs fs;
    private final Random random;
    private final ReadWriteLock gate;
    private final AtomicLong acknowledged;
    private final Queue<String> problems;
    private final Ledger ledger;
    private final long firstNumber;
    private final List<Open> open = new ArrayList<>();
    private volatile boolean stopped;
    private long names;

    private record Open(Written file, FileWriter writer) {}

    @FunctionalInterface
    private interface Asked {
        void run() throws IOException;
    }

    /**
     * @param acknowledged counts operations of all scribes that were done
     * @param problems takes answers that nobody who lost nothing would give
     */
    Scribe(int number, SteadFs fs, Random random, ReadWriteLock gate, AtomicLong acknowledged, Queue<String> problems) {
        this.fs = fs;
        this.random = random;
        this.gate = gate;
        this.acknowledged = acknowledged;
        this.problems = problems;
        this.ledger = new Ledger("/scribe-" + number);
        this.firstNumber = (number + 1) * NUMBERS;
    }

    /** Looked at by others only under the write lock. */
    Ledger ledger() {
        return ledger;
    }

    void begin() throws IOException {
        fs.mkdirs(FsPath.parse(ledger.base), 0755, true, true);
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        while (!stopped && problems.isEmpty()) {
            gate.readLock().lock();
            try {
                step();
            } catch (IOException | RuntimeException e) {
                problems.add(ledger.base + ": " + e);
            } finally {
                gate.readLock().unlock();
            }
        }
    }

    /** After its last step: closes what it writes, and ends its session, which gives up what it could not close. */
    void end() {
        List.copyOf(open).forEach(this::close);
        fs.close();
    }

    private void step() throws IOException {
        int dice = random.nextInt(100);
        if (dice < 10) {
            makeDirectory();
        } else if (dice < 45) {
            write();
        } else if (dice < 62) {
            goOn();
        } else if (dice < 78) {
            rename();
        } else if (dice < 92) {
            delete();
        } else {
            append();
        }
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private String freshName(String kind) {
        return any(ledger.directories()) + "/" + kind + names++;
    }

    /** Asks for a change of names, and notes what came of it. Answers whether it was done. */
    private boolean change(String what, Map<String, Thing> before, Map<String, Thing> after, Asked asked)
            throws IOException {
        try {
            asked.run();
        } catch (FsException e) {
            if (e.error().resolver() == Resolver.CALLER) {
                // Nobody else is at these names, so what was acknowledged before cannot lead to this.
                throw new IOException(what + " was refused: " + e.error() + " " + e.getMessage(), e);
            }
            ledger.doubt(what + ": " + e.error(), before, after);
            return false;
        }
        ledger.settle(before, after);
        acknowledged.incrementAndGet();
        return true;
    }

    private static FsPath path(String name) throws FsException {
        return FsPath.parse(name);
    }

    private void makeDirectory() throws IOException {
        if (ledger.directories().size() < DIRECTORIES) {
            String name = freshName("d");
            change(
                    "mkdir " + name,
                    Map.of(),
                    Map.of(name, new Directory()),
                    () -> fs.mkdirs(path(name), 0755, false, true));
        }
    }

    private void write() throws IOException {
        List<String> free = ledger.free(false);
        boolean replaces = free.size() >= FILES || (!free.isEmpty() && random.nextInt(6) == 0);
        String name = replaces ? any(free) : freshName("f");
        Written file = new Written(firstNumber + names++);
        FileWriter[] writer = new FileWriter[1];
        CreateOptions options = CreateOptions.DEFAULT.withOverwrite(replaces).withLayout(1 + random.nextInt(2), STRIP);
        Map<String, Thing> before = replaces ? ledger.below(name) : Map.of();
        boolean made =
                change("create " + name, before, Map.of(name, file), () -> writer[0] = fs.create(path(name), options));
        if (!made) {
            file.state = State.LEFT;
            return;
        }
        Open now = new Open(file, writer[0]);
        open.add(now);
        add(now, size());
        if (random.nextInt(3) == 0) {
            sync(now);
        }
        if (random.nextInt(4) != 0 || open.size() > OPEN_FILES) {
            close(now);
        }
    }

    /** Seldom large; most in the server's store, some in files of their own. */
    private int size() {
        int dice = random.nextInt(10);
        return random.nextInt(dice < 4 ? 4 << 10 : dice < 9 ? 200 << 10 : 600 << 10);
    }

    private void goOn() {
        if (!open.isEmpty()) {
            Open one = any(open);
            switch (random.nextInt(4)) {
                case 0 -> close(one);
                case 1 -> sync(one);
                default -> add(one, size() / 4);
            }
        }
    }

    private void append() throws IOException {
        List<String> free = ledger.free(false);
        if (free.isEmpty() || open.size() >= OPEN_FILES || !(ledger.sure.get(any(free)) instanceof Written file)) {
            return;
        }
        String name = ledger.sure.entrySet().stream()
                .filter(each -> each.getValue() == file)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        file.synced = file.written;
        try {
            open.add(new Open(file, fs.append(path(name))));
            file.state = State.OPEN;
            acknowledged.incrementAndGet();
        } catch (FsException e) {
            file.state = State.LEFT;
        }
    }

    private void add(Open one, int length) {
        byte[] bytes = Content.bytes(one.file.number, one.file.written, length);
        one.file.written += length;
        writing(one, () -> one.writer.write(bytes, 0, length));
    }

    private void sync(Open one) {
        if (writing(one, one.writer::hsync)) {
            one.file.synced = one.file.written;
            acknowledged.incrementAndGet();
        }
    }

    private void close(Open one) {
        if (writing(one, one.writer::close)) {
            open.remove(one);
            one.file.synced = one.file.written;
            one.file.state = State.CLOSED;
            acknowledged.incrementAndGet();
        }
    }

    /** A writer may be refused: bytes that were not synced went with a server's power, or its session ended. */
    private boolean writing(Open one, Asked asked) {
        if (!open.contains(one)) {
            return false;
        }
        try {
            asked.run();
            return true;
        } catch (IOException e) {
            open.remove(one);
            one.file.state = State.LEFT;
            try {
                one.writer.close();
            } catch (IOException again) {
                // Told already.
            }
            return false;
        }
    }

    private void rename() throws IOException {
        boolean directory = random.nextInt(4) == 0;
        List<String> free = ledger.free(directory);
        if (free.isEmpty()) {
            return;
        }
        String source = any(free);
        boolean replaces = !directory && free.size() > 1 && random.nextInt(3) == 0;
        String target = replaces ? any(free) : freshName(directory ? "d" : "f");
        if (target.equals(source) || target.startsWith(source + "/")) {
            return;
        }
        Map<String, Thing> before = new TreeMap<>(ledger.below(source));
        Map<String, Thing> after = new TreeMap<>();
        before.forEach((name, thing) -> after.put(target + name.substring(source.length()), thing));
        if (replaces) {
            before.putAll(ledger.below(target));
        }
        change(
                "rename " + source + " to " + target,
                before,
                after,
                () -> fs.rename(path(source), path(target), replaces ? RenameMode.OVERWRITE : RenameMode.NO_REPLACE));
    }

    private void delete() throws IOException {
        boolean directory = random.nextInt(5) == 0;
        List<String> free = ledger.free(directory);
        if (free.size() > (directory ? DIRECTORIES : FILES) / 2) {
            String name = any(free);
            if (!ledger.isWrittenBelow(name)) {
                change("delete " + name, ledger.below(name), Map.of(), () -> fs.delete(path(name), directory));
            }
        }
    }
}

package io.steadfs.it;

import io.steadfs.client.SteadClient;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.config.Settings;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A client in a process of its own that has very many files open, at once: some are read and written to their end, some slowly, byte by byte,
 * some stand still after a beginning until all others are done. Every byte is compared. Prints the client's counters of memory as
 * {@code name=value}, and {@code DONE} at the end.
 *
 * <p>Arguments: address, files to read, readers, writers; then settings of the client as KEY=VALUE.
 */
final class ManyStreams {
    static final int LENGTH = 600_007;
    private static final int THREADS = 12;
    private static final int SLOW_STEPS = 40;

    private ManyStreams() {}

    static FsPath file(int number) throws IOException {
        return FsPath.parse("/many/in-" + number);
    }

    static byte[] content(int number) {
        byte[] bytes = new byte[LENGTH];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    /** A file that is read. */
    private static final class Reading {
        final int number;
        final FileReader reader;
        final byte[] expected;
        int done;

        Reading(int number, FileReader reader, byte[] expected) {
            this.number = number;
            this.reader = reader;
            this.expected = expected;
        }

        void read(int count) throws IOException {
            ByteBuffer target = ByteBuffer.allocate(Math.min(count, LENGTH - done));
            int got = reader.read(done, target);
            ByteBuffer wanted = ByteBuffer.wrap(expected, done, got);
            if (got != target.capacity() || !target.flip().equals(wanted)) {
                throw new IOException("reader " + number + ": wrong bytes among the " + got + " from " + done + " on");
            }
            done += got;
        }

        void readAll() throws IOException {
            while (done < LENGTH) {
                read(150_000);
            }
            reader.close();
        }
    }

    /** A file that is written. */
    private static final class Writing {
        final FileWriter writer;
        final byte[] bytes;
        int done;

        Writing(FileWriter writer, byte[] bytes) {
            this.writer = writer;
            this.bytes = bytes;
        }

        void write(int count) throws IOException {
            int step = Math.min(count, LENGTH - done);
            writer.write(bytes, done, step);
            done += step;
        }

        void writeAll() throws IOException {
            while (done < LENGTH) {
                write(100_000);
            }
            writer.close();
        }
    }

    public static void main(String[] arguments) throws Exception {
        int files = Integer.parseInt(arguments[1]);
        int readers = Integer.parseInt(arguments[2]);
        int writers = Integer.parseInt(arguments[3]);
        byte[][] contents = new byte[files][];
        for (int i = 0; i < files; i++) {
            contents[i] = content(i);
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (SteadClient fs = SteadClient.connect(
                settings(arguments), List.of(ServerAddress.parse(arguments[0])), LocalProcess.caller())) {
            List<Callable<Reading>> opens = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                int number = i;
                opens.add(() -> begun(new Reading(number, fs.open(file(number % files)), contents[number % files])));
            }
            List<Callable<Writing>> creates = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                FsPath path = FsPath.parse("/many/out-" + i);
                byte[] bytes = contents[i % files];
                creates.add(() -> begun(new Writing(fs.create(path, CreateOptions.DEFAULT), bytes)));
            }
            List<Reading> readings = all(threads, opens);
            List<Writing> writings = all(threads, creates);
            // The first tenths stand still; the next ones are slow; the rest goes on.
            List<Callable<Boolean>> work = new ArrayList<>();
            for (Reading reading : readings.subList(readers / 5, readers)) {
                work.add(() -> goOn(reading, reading.number < readers / 2));
            }
            for (int i = writers / 5; i < writers; i++) {
                Writing writing = writings.get(i);
                boolean slow = i < writers / 2;
                work.add(() -> goOn(writing, slow));
            }
            all(threads, work);
            print(fs, "while some stand still");
            List<Callable<Boolean>> rest = new ArrayList<>();
            readings.subList(0, readers / 5).forEach(reading -> rest.add(() -> goOn(reading, false)));
            writings.subList(0, writers / 5).forEach(writing -> rest.add(() -> goOn(writing, false)));
            all(threads, rest);
            for (int i = 0; i < writers; i++) {
                Reading written = new Reading(-i, fs.open(FsPath.parse("/many/out-" + i)), contents[i % files]);
                written.readAll();
            }
            print(fs, "at the end");
        } finally {
            threads.shutdown();
        }
        System.out.println("DONE");
    }

    private static Settings settings(String[] arguments) {
        Map<String, String> settings = new HashMap<>();
        for (String setting : Arrays.asList(arguments).subList(4, arguments.length)) {
            int equals = setting.indexOf('=');
            settings.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return Settings.of(settings);
    }

    private static void print(SteadClient fs, String when) {
        fs.counters().forEach((name, value) -> {
            if (name.startsWith("client.memory.")) {
                System.out.println(name + " " + when + "=" + value);
            }
        });
    }

    private static Reading begun(Reading reading) throws IOException {
        reading.read(70_000);
        reading.read(70_000);
        return reading;
    }

    private static Writing begun(Writing writing) throws IOException {
        writing.write(5_000 + (writing.bytes[0] & 0xff) * 200);
        return writing;
    }

    private static boolean goOn(Reading reading, boolean slowly) throws IOException {
        for (int step = 0; slowly && step < SLOW_STEPS; step++) {
            reading.read(1 + step * 50);
        }
        reading.readAll();
        return true;
    }

    private static boolean goOn(Writing writing, boolean slowly) throws IOException {
        for (int step = 0; slowly && step < SLOW_STEPS; step++) {
            writing.write(1 + step * 50);
        }
        writing.writeAll();
        return true;
    }

    private static <T> List<T> all(ExecutorService threads, List<Callable<T>> work) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> each : threads.invokeAll(work)) {
            results.add(each.get());
        }
        return results;
    }
}

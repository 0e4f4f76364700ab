package io.steadfs.lab.torture;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The file of a client's operations: one line when an operation begins, and one line when its answer arrives.
 *
 * <p>Each line reaches the operating system before the client goes on, so the lines outlive SIGKILL. Tabs separate the
 * fields:
 *
 * <pre>
 * B  operation  nanos  thread  kind     arguments...
 * E  operation  nanos  thread  outcome  results...
 * </pre>
 *
 * <p>Thread-safe.
 */
final class History implements Closeable {
    private final BufferedWriter out;
    private final AtomicLong operations = new AtomicLong();

    private History(BufferedWriter out) {
        this.out = out;
    }

    static History create(Path file) throws IOException {
        return new History(Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    /** Records the beginning of an operation. Returns the operation's id. */
    long begin(int thread, Event.Op op, List<String> arguments) throws IOException {
        long id = operations.incrementAndGet();
        line("B", id, thread, op.name(), arguments);
        return id;
    }

    void end(long id, int thread, String outcome, List<String> results) throws IOException {
        line("E", id, thread, outcome, results);
    }

    private synchronized void line(String kind, long id, int thread, String what, List<String> more)
            throws IOException {
        StringBuilder line = new StringBuilder();
        line.append(kind).append('\t').append(id).append('\t').append(System.nanoTime());
        line.append('\t').append(thread).append('\t').append(what);
        more.forEach(field -> line.append('\t').append(field));
        out.write(line.append('\n').toString());
        out.flush();
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }

    /** Returns all operations of a history in the order of their beginnings. An incomplete last line is ignored. */
    static List<Event> read(String client, Path file) throws IOException {
        Map<Long, String[]> begun = new HashMap<>();
        Map<Long, String[]> ended = new HashMap<>();
        List<Long> order = new ArrayList<>();
        String text = Files.readString(file);
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1)) {
            String[] fields = line.split("\t", -1);
            if (fields.length < 5) {
                continue;
            }
            long id = Long.parseLong(fields[1]);
            if (fields[0].equals("B")) {
                begun.put(id, fields);
                order.add(id);
            } else {
                ended.put(id, fields);
            }
        }
        List<Event> events = new ArrayList<>();
        for (long id : order) {
            events.add(event(client, id, begun.getOrDefault(id, new String[0]), ended.get(id)));
        }
        return events;
    }

    private static Event event(
            String client, long id, String[] begun, String @org.jspecify.annotations.Nullable [] ended) {
        return new Event(
                client,
                id,
                Integer.parseInt(begun[3]),
                Event.Op.valueOf(begun[4]),
                List.of(begun).subList(5, begun.length),
                Long.parseLong(begun[2]),
                ended == null ? Event.NEVER : Long.parseLong(ended[2]),
                ended == null ? Event.NONE : ended[4],
                ended == null ? List.of() : List.of(ended).subList(5, ended.length));
    }
}

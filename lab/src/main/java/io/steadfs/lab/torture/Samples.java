package io.steadfs.lab.torture;

import io.steadfs.error.FsException;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Memory and open files of every process over time, and what servers did with partitions of directories. Thread-safe.
 *
 * <p>Samples begin when a process is {@value #WARM_MILLIS} milliseconds old, because starting a process is not growth.
 * A process touches its whole heap at the start. Later growth of resident memory is therefore growth outside of the
 * heap. The server reports the use of its heap separately.
 */
final class Samples {
    private static final long WARM_MILLIS = 15_000;
    private static final long STATUS_MILLIS = 2_000;
    private static final int LEAST = 4;
    private static final double GROWTH = 1.3;
    private static final long MORE_BYTES = 48L << 20;
    private static final long MORE_FILES = 40;

    private static final Set<String> COUNTERS = Set.of(
            "partitions.splits", "partitions.merges", "partitions.moves", "partitions.halvings", "partitions.kept");

    private record Sample(long residentBytes, long openFiles) {}

    private final Map<String, List<Sample>> samples = new TreeMap<>();
    private final Map<String, List<Long>> heaps = new TreeMap<>();
    private final Map<String, Map<String, Long>> told = new TreeMap<>();
    private final Map<String, Long> partitions = new TreeMap<>();

    synchronized void take(String name, Child child) {
        long resident = child.residentBytes();
        long files = child.openFiles();
        if (child.alive() && child.ageMillis() > WARM_MILLIS && resident > 0 && files > 0) {
            samples.computeIfAbsent(name, key -> new ArrayList<>()).add(new Sample(resident, files));
        }
    }

    /** Asks the server for its numbers. The answer arrives later. */
    void ask(String name, Transport transport, ServerAddress address) {
        Request request = new Request(
                Kind.STATUS,
                RequestHeader.newBuilder()
                        .setKind(Kind.STATUS.number())
                        .setStep("status")
                        .build(),
                StatusRequest.getDefaultInstance(),
                Payload.EMPTY);
        try {
            var unused = transport.send(address, request, STATUS_MILLIS).whenComplete((reply, failure) -> {
                if (reply != null) {
                    read(name, reply);
                }
            });
        } catch (RuntimeException e) {
            // The server is down now. Another sample follows.
        }
    }

    private void read(String name, Reply reply) {
        try {
            StatusReply status = reply.body(StatusReply.class);
            Long used = status.getGaugesMap().get("heap.used.bytes");
            if (used != null) {
                heap(name, used);
            }
            count(name, status.getCountersMap());
        } catch (FsException e) {
            // A refusal has no numbers.
        }
    }

    private synchronized void count(String name, Map<String, Long> counters) {
        Map<String, Long> before = told.computeIfAbsent(name, key -> new TreeMap<>());
        counters.forEach((counter, value) -> {
            if (COUNTERS.contains(counter)) {
                long last = before.getOrDefault(counter, 0L);
                // A server that was started again counts from 0.
                partitions.merge(counter, value >= last ? value - last : value, Long::sum);
                before.put(counter, value);
            }
        });
    }

    /** Returns sums over all servers. What a server did after its last sample is not in them. */
    synchronized Map<String, Long> partitions() {
        return new TreeMap<>(partitions);
    }

    private synchronized void heap(String name, long bytes) {
        heaps.computeIfAbsent(name, key -> new ArrayList<>()).add(bytes);
    }

    /**
     * Returns a report by process: the values of the first and of the last third of the samples, and whether they are
     * flat. The value of a third is the median; for the heap, the value is the least.
     */
    synchronized Map<String, Object> report() {
        Map<String, Object> report = new LinkedHashMap<>();
        samples.forEach((name, all) -> report.put(name, report(name, all)));
        return report;
    }

    private Map<String, Object> report(String name, List<Sample> all) {
        Map<String, Object> row = new LinkedHashMap<>();
        int third = all.size() / 3;
        row.put("samples", all.size());
        if (third < LEAST) {
            row.put("judged", false);
            return row;
        }
        List<Sample> first = all.subList(0, third);
        List<Sample> last = all.subList(all.size() - third, all.size());
        long residentFirst = median(first, Sample::residentBytes);
        long residentLast = median(last, Sample::residentBytes);
        long filesFirst = median(first, Sample::openFiles);
        long filesLast = median(last, Sample::openFiles);
        boolean flat =
                residentLast <= residentFirst * GROWTH + MORE_BYTES && filesLast <= filesFirst * GROWTH + MORE_FILES;
        row.put("judged", true);
        row.put("residentBytesFirst", residentFirst);
        row.put("residentBytesLast", residentLast);
        row.put("openFilesFirst", filesFirst);
        row.put("openFilesLast", filesLast);
        List<Long> heap = heaps.getOrDefault(name, List.of());
        int heapThird = heap.size() / 3;
        if (heapThird >= LEAST) {
            long heapFirst = least(heap.subList(0, heapThird));
            long heapLast = least(heap.subList(heap.size() - heapThird, heap.size()));
            row.put("heapBytesFirst", heapFirst);
            row.put("heapBytesLast", heapLast);
            flat &= heapLast <= heapFirst * GROWTH + MORE_BYTES;
        }
        row.put("flat", flat);
        return row;
    }

    private static long median(List<Sample> samples, ToLongFunction<Sample> value) {
        return samples.stream().mapToLong(value).sorted().toArray()[samples.size() / 2];
    }

    private static long least(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).min().orElse(0);
    }

    /** Returns the processes whose values grew. */
    synchronized List<String> growing() {
        List<String> growing = new ArrayList<>();
        report().forEach((name, row) -> {
            if (row instanceof Map<?, ?> map && Boolean.FALSE.equals(map.get("flat"))) {
                growing.add(name + " grew: " + row);
            }
        });
        return growing;
    }
}

package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.system.Contender;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The memory that the servers of one system use before and after the system gets a number of new files. */
record ServerMemory(String name, int files, Reading before, Reading after) {
    private static final double MEBIBYTE = 1 << 20;

    /**
     * Growth of all servers' heaps together for a million files, in MiB. Memory outside the heap has a limit, so the
     * growth of that memory for a million files would mean nothing.
     */
    double heapMebibytesPerMillion() {
        return (Reading.sum(after.heap()) - Reading.sum(before.heap())) / MEBIBYTE / files * 1e6;
    }

    static double mebibytes(SortedMap<String, Long> bytes) {
        return Reading.sum(bytes) / MEBIBYTE;
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("system", name);
        fields.put("files", files);
        fields.put("heapMebibytesPerMillionFiles", Measured.rounded(heapMebibytesPerMillion()));
        fields.put("heapBefore", before.heap());
        fields.put("heapAfter", after.heap());
        fields.put("cacheBefore", before.cache());
        fields.put("cacheAfter", after.cache());
        return fields;
    }

    /**
     * The memory that each server uses.
     *
     * @param heap bytes of objects in use on the heap, by server
     * @param cache bytes of row caches outside the heap, by server; empty if the system has no such caches
     */
    record Reading(SortedMap<String, Long> heap, SortedMap<String, Long> cache) {
        private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

        /** Reads the memory of all servers, after each server has collected its garbage. */
        static Reading of(Contender system) throws IOException, InterruptedException {
            SortedMap<String, Long> heap = new TreeMap<>();
            for (Map.Entry<String, Long> server : system.servers().entrySet()) {
                heap.put(server.getKey(), objectsInUse(server.getKey(), server.getValue()));
            }
            return new Reading(heap, new TreeMap<>(system.cacheBytes()));
        }

        static long sum(SortedMap<String, Long> bytes) {
            return bytes.values().stream().mapToLong(Long::longValue).sum();
        }

        private static long objectsInUse(String name, long pid) throws IOException, InterruptedException {
            Process asked = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            "GC.class_histogram")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher total = TOTAL.matcher(said);
            if (asked.waitFor() != 0 || !total.find()) {
                throw new IOException("jcmd does not tell the heap of " + name + ", process " + pid + ": "
                        + said.substring(0, Math.min(200, said.length())));
            }
            return Long.parseLong(total.group(1));
        }
    }
}

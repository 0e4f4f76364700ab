package io.steadfs.it.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.client.read.FileReader;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.it.Cluster;
import io.steadfs.it.Fsck;
import io.steadfs.it.StoredShards;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each damage of {@link MapDamage}, in a directory with files, directories and symbolic links. A check finds it and says
 * so. Clients read and create meanwhile. Then it is repaired, everything whose creation was answered is there once, and
 * nothing is found any more.
 */
class DamagedMapsTest {
    private static final int SHARDS = 3;
    private static final int FILES = 48;
    private static final int DIRECTORIES = 8;
    private static final int LINKS = 16;
    /** Created while the directory is damaged. */
    private static final int MORE = 16;

    /** Of the operations on damaged directories, in milliseconds. Some are never answered. */
    private static final String TIMEOUT = "1500";

    /** What was in files before the damage, and the targets of links: the path, which is another one after a repair. */
    private final Set<String> before = new ConcurrentSkipListSet<>();
    /** The same of what was created while directories were damaged, and answered. */
    private final Set<String> meanwhile = new ConcurrentSkipListSet<>();
    /** The same of what was not answered: it may be there. */
    private final Set<String> unanswered = new ConcurrentSkipListSet<>();

    @Test
    void isFoundAndRepairedAndNothingIsLost(@TempDir Path data) throws Exception {
        try (Cluster cluster = Cluster.start(data, 1, SHARDS, 1, Map.of())) {
            try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
                inEachDirectory(directory -> make(directory, fs));
            }
            Fsck.findsNothing(cluster);
            cluster.stop();
            Map<MapDamage, SpreadDirectory> damaged = plant(data);
            cluster.startAgain();
            assertFound(Fsck.run(cluster, Fsck.FOUND).get(0), damaged);
            try (SteadFs fs =
                    cluster.connect(Cluster.SUPERUSER, List.of(), Map.of("stead.client.operation.timeout", TIMEOUT))) {
                inEachDirectory(directory -> use(directory, fs));
            }
            Fsck.run(cluster, Fsck.FOUND, "--repair");
            Fsck.run(cluster, 0, "--repair", "all");
            assertNothingIsLost(cluster);
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private interface Use {
        void of(FsPath directory) throws IOException;
    }

    private static void inEachDirectory(Use use) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(MapDamage.values().length);
        try {
            List<Future<?>> uses = new ArrayList<>();
            for (MapDamage damage : MapDamage.values()) {
                uses.add(threads.submit(() -> {
                    use.of(FsPath.parse("/" + damage.directory()));
                    return null;
                }));
            }
            for (Future<?> each : uses) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void make(FsPath directory, SteadFs fs) throws IOException {
        fs.mkdirs(directory, 0755, true, false);
        fs.setXattr(directory, DirectoryHints.EXPECTED_FILES, "60000".getBytes(StandardCharsets.UTF_8), true, false);
        assertThat(fs.partitions(directory)).hasSize(SpreadDirectory.PARTITIONS);
        for (int i = 0; i < FILES; i++) {
            write(file(directory, i), file(directory, i).toString(), fs);
            before.add(file(directory, i).toString());
        }
        for (int i = 0; i < DIRECTORIES; i++) {
            FsPath below = directory.child("directory-" + i).child("file");
            write(below, below.toString(), fs);
            before.add(below.toString());
        }
        for (int i = 0; i < LINKS; i++) {
            fs.createSymlink(link(directory, i), link(directory, i).toString(), false, 0755);
            before.add(link(directory, i).toString());
        }
    }

    private static FsPath file(FsPath directory, int number) {
        return directory.child("file-" + number);
    }

    private static FsPath link(FsPath directory, int number) {
        return directory.child("link-" + number);
    }

    private static void write(FsPath path, String content, SteadFs fs) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        try (var out = fs.create(path, CreateOptions.DEFAULT)) {
            out.write(bytes, 0, bytes.length);
        }
    }

    private static String read(FsPath path, SteadFs fs) throws IOException {
        try (FileReader reader = fs.open(path)) {
            ByteBuffer bytes = ByteBuffer.allocate(200);
            reader.read(0, bytes);
            return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
        }
    }

    private static Map<MapDamage, SpreadDirectory> plant(Path data) throws IOException {
        Map<MapDamage, SpreadDirectory> damaged = new EnumMap<>(MapDamage.class);
        try (StoredShards shards = StoredShards.open(data, SHARDS)) {
            for (MapDamage damage : MapDamage.values()) {
                SpreadDirectory directory = SpreadDirectory.of(shards, damage.directory());
                damage.plant(directory);
                damaged.put(damage, directory);
            }
            shards.commit();
        }
        return damaged;
    }

    private static void assertFound(JsonNode check, Map<MapDamage, SpreadDirectory> damaged) {
        assertThat(check.get("complete").asBoolean()).isTrue();
        Map<MapDamage, Set<String>> found = new EnumMap<>(MapDamage.class);
        Set<String> others = new TreeSet<>();
        for (JsonNode finding : check.get("findings")) {
            String kind = finding.get("kind").asText();
            String object = finding.get("object").asText();
            String other = finding.get("other").asText();
            Optional<Map.Entry<MapDamage, SpreadDirectory>> about = damaged.entrySet().stream()
                    .filter(each -> each.getValue().isAbout(object, other))
                    .findAny();
            if (about.isPresent()) {
                String what = about.get().getValue().told(finding.get("what").asText());
                found.computeIfAbsent(about.get().getKey(), unused -> new TreeSet<>())
                        .add(kind + ": " + what);
            } else {
                others.add(kind);
            }
        }
        assertThat(MapDamage.values())
                .allSatisfy(damage -> assertThat(found.get(damage))
                        .as("what is said of %s", damage)
                        .isEqualTo(damage.told()));
        assertThat(others).as("files whose names were in a lost partition").containsExactly("orphan-metafile");
    }

    /** Reads what is there, makes again what seems not to be there, and makes more. */
    private void use(FsPath directory, SteadFs fs) throws IOException {
        for (int i = 0; i < FILES; i += 4) {
            FsPath path = file(directory, i);
            if (answer(() -> assertThat(read(path, fs)).isEqualTo(path.toString())) == FsError.NOT_FOUND) {
                note(path + " again", () -> write(path, path + " again", fs));
            }
        }
        for (int i = 0; i < LINKS; i += 2) {
            FsPath path = link(directory, i);
            if (answer(() -> fs.statLink(path)) == FsError.NOT_FOUND) {
                note(path + " again", () -> fs.createSymlink(path, path + " again", false, 0755));
            }
        }
        for (int i = 0; i < MORE; i++) {
            FsPath path = directory.child("more-" + i);
            note(path.toString(), () -> write(path, path.toString(), fs));
        }
    }

    private void note(String content, Step create) throws IOException {
        (answer(create) == FsError.OK ? meanwhile : unanswered).add(content);
    }

    private static FsError answer(Step step) throws IOException {
        try {
            step.run();
            return FsError.OK;
        } catch (FsException e) {
            return e.error();
        }
    }

    private void assertNothingIsLost(Cluster cluster) throws IOException {
        Map<String, List<String>> places = new TreeMap<>();
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            for (Iterator<Entry> all = fs.listTree(FsPath.ROOT, false); all.hasNext(); ) {
                Entry entry = all.next();
                FsPath path = FsPath.parse("/" + entry.name());
                Optional<String> target = entry.info().linkTarget();
                places.computeIfAbsent(target.isPresent() ? target.get() : read(path, fs), unused -> new ArrayList<>())
                        .add(path.toString());
            }
        }
        Set<String> all = new TreeSet<>(before);
        all.addAll(meanwhile);
        assertThat(without(all, places.keySet())).as("lost").isEmpty();
        all.addAll(unanswered);
        assertThat(without(places.keySet(), all)).as("not known").isEmpty();
        assertThat(places)
                .allSatisfy((content, paths) ->
                        assertThat(paths).as("places of %s", content).hasSize(1));
        for (MapDamage damage : MapDamage.values()) {
            if (damage.isRepairedInPlace()) {
                assertInPlace("/" + damage.directory() + "/", places);
            }
        }
    }

    /** Nothing is elsewhere, but for what clients have made again. */
    private void assertInPlace(String directory, Map<String, List<String>> places) {
        assertThat(before.stream()
                        .filter(content -> content.startsWith(directory))
                        .filter(content -> !meanwhile.contains(content + " again")))
                .allSatisfy(content -> assertThat(places.get(content)).containsExactly(content));
    }

    private static Set<String> without(Set<String> all, Set<String> some) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
    }
}

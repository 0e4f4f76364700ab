package io.steadfs.it;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.steadfs.cluster.ShardCounts;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * What may import what. This is the architecture as a rule; docs/ARCHITECTURE.md shows modules and rooms to people, and
 * {@link ArchitecturePageTest} compares the page with the rule. Within a metadata server:
 *
 * <pre>
 *   wire ─► pipeline ─► op ─► nouns ─► store
 *   duty ─► pipeline (by the clients' door, never op)
 *   nouns know each other only through op
 * </pre>
 *
 * Each rule names packages that exist: one that has no class fails.
 */
class ImportRulesTest {
    /** Each module, and the modules of ours that it may import. */
    static final Map<String, Set<String>> IMPORTS_OF = Map.of(
            "fs-api", Set.of(),
            "server", Set.of("fs-api"),
            "mds", Set.of("fs-api", "server"),
            "ioserver", Set.of("fs-api", "server"),
            "hadoop-adapter", Set.of("fs-api"),
            "demo-job", Set.of(),
            "webui", Set.of("fs-api", "server"),
            "cli", Set.of("fs-api", "server", "mds", "ioserver", "hadoop-adapter", "webui"),
            "lab", Set.of("fs-api", "server", "mds", "ioserver", "hadoop-adapter", "webui", "cli"));

    /** Read once by a newcomer; these know no word of file systems. */
    static final List<String> SPINE = List.of("pipeline", "log", "record", "state");

    /** Rooms: each owns its keys, its reads and its replay. */
    static final List<String> NOUNS = List.of(
            "dirent",
            "metafile",
            "directory",
            "handle",
            "partition",
            "xattr",
            "session",
            "intent",
            "datafile",
            "fence",
            "pool",
            "deletion",
            "outbox");

    private static final String OP = "io.steadfs.mds.op";

    /** Each room of the operations, and the rooms there that it may import. */
    static final Map<String, Set<String>> ROOMS_OF_OP = Map.ofEntries(
            Map.entry("ground", Set.of()),
            Map.entry("layout", Set.of("ground")),
            Map.entry("give", Set.of("ground")),
            Map.entry("intent", Set.of("ground", "name")),
            Map.entry("name", Set.of("ground", "layout")),
            Map.entry("rename", Set.of("ground", "name")),
            Map.entry("list", Set.of("ground")),
            Map.entry("write", Set.of("ground", "layout")),
            Map.entry("session", Set.of("ground", "write")),
            Map.entry("attribute", Set.of("ground", "layout")),
            Map.entry("check", Set.of("ground")),
            Map.entry("copy", Set.of("ground")),
            Map.entry("mend", Set.of("ground", "check", "name", "intent")),
            Map.entry("server", Set.of("ground")));

    private static final String CLIENT = "io.steadfs.client";

    /** Each room of the client, and the rooms there that it may import. The root may import all, and none of them the root. */
    static final Map<String, Set<String>> ROOMS_OF_CLIENT = Map.of(
            "call", Set.of(),
            "list", Set.of("call"),
            "read", Set.of("call", "list"),
            "write", Set.of("call", "list"),
            "create", Set.of("call", "list", "write"));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar!"))
            .importPackages("io.steadfs");

    /** {@code …/mds/target/classes/…} or {@code …/steadfs-mds-0.1.0.jar!/…} */
    private static final Pattern LOCATION =
            Pattern.compile("/(?<dir>[a-z-]+)/target/classes/|/steadfs-(?<jar>[a-z-]+)-\\d[^/]*\\.jar!");

    @Test
    void modulesImportInOneDirection() {
        Set<String> seen = new TreeSet<>();
        List<String> violations = new ArrayList<>();
        for (JavaClass importer : CLASSES) {
            String module = moduleOf(importer);
            seen.add(module);
            for (Dependency dependency : importer.getDirectDependenciesFromSelf()) {
                JavaClass imported = dependency.getTargetClass().getBaseComponentType();
                if (!imported.getPackageName().startsWith("io.steadfs")) {
                    continue;
                }
                String target = moduleOf(imported);
                if (!target.equals(module) && !allowed(module).contains(target)) {
                    violations.add(module + " -> " + target + ": " + dependency.getDescription());
                }
            }
        }
        assertThat(violations).isEmpty();
        assertThat(seen).as("modules on the class path of this test").isSubsetOf(IMPORTS_OF.keySet());
        assertThat(seen).contains("mds", "ioserver", "server", "cli", "lab");
    }

    /** What measures and tortures is not the product. The tests here and {@code it/micro} use it; their classes are not in this. */
    @Test
    void nothingOfTheProductKnowsTheLab() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.steadfs.lab..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.steadfs.lab..")
                .check(CLASSES);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("io.steadfs.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @ParameterizedTest
    @FieldSource("SPINE")
    void spineImportsNoNoun(String spine) {
        mayNotImport(spine, NOUNS);
    }

    @ParameterizedTest
    @FieldSource("SPINE")
    void spineImportsNeitherVerbNorDuty(String spine) {
        mayNotImport(spine, List.of("op", "duty"));
    }

    @ParameterizedTest
    @FieldSource("NOUNS")
    void nounImportsNoOtherNounAndNoVerb(String noun) {
        List<String> others = new ArrayList<>(NOUNS);
        others.remove(noun);
        others.addAll(List.of("op", "duty"));
        mayNotImport(noun, others);
    }

    /** Else it would be no noun, and nobody would look at its imports. A repair by hand, and the store's own facts, are of no noun. */
    @Test
    void everyRecordIsOfANoun() {
        Set<String> others = new TreeSet<>();
        for (JavaClass javaClass : CLASSES) {
            if (javaClass.isAssignableTo(LogRecord.class) && !javaClass.isInterface()) {
                others.add(javaClass.getPackageName().replaceFirst("^io\\.steadfs\\.mds\\.", ""));
            }
        }
        assertThat(others).containsAll(NOUNS);
        others.removeAll(NOUNS);
        assertThat(others).as("packages with records that are no nouns").containsExactly("op.mend", "state");
    }

    @Test
    void verbImportsNoDuty() {
        mayNotImport("op", List.of("duty"));
    }

    @Test
    void dutyImportsNoVerb() {
        mayNotImport("duty", List.of("op"));
    }

    @Test
    void roomsOfOpImportInOneDirection() {
        eachImportsOnly(OP, ROOMS_OF_OP);
    }

    @Test
    void roomsOfClientImportInOneDirection() {
        eachImportsOnly(CLIENT, ROOMS_OF_CLIENT);
    }

    /** A server is looked at from outside: none of its rooms knows who looks. */
    @Test
    void onlyWhoPutsAServerTogetherKnowsItsMetrics() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.steadfs.metrics..", "io.steadfs.mds", "io.steadfs.ioserver", "io.steadfs.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.steadfs.metrics..")
                .check(CLASSES);
    }

    @Test
    void onlyMetricsKnowHttpAndPrometheus() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.steadfs.metrics..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.prometheus..", "com.sun.net.httpserver..")
                .check(CLASSES);
    }

    private static void mayNotImport(String importer, List<String> imported) {
        noClasses()
                .that()
                .resideInAPackage(ofMds(importer))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        imported.stream().map(ImportRulesTest::ofMds).toArray(String[]::new))
                .check(CLASSES);
    }

    /** The rooms are all that there are below the root, which is none of them and which none of them imports. */
    private static void eachImportsOnly(String root, Map<String, Set<String>> rooms) {
        Set<String> found = new TreeSet<>();
        for (JavaClass javaClass : CLASSES) {
            if (javaClass.getPackageName().startsWith(root + ".")) {
                found.add(javaClass.getPackageName().substring(root.length() + 1));
            }
        }
        assertThat(found).as("rooms of " + root).isEqualTo(rooms.keySet());
        rooms.forEach((room, allowed) -> {
            List<String> others = new ArrayList<>(List.of(root));
            rooms.keySet().stream()
                    .filter(other -> !other.equals(room) && !allowed.contains(other))
                    .forEach(other -> others.add(root + "." + other + ".."));
            noClasses()
                    .that()
                    .resideInAPackage(root + "." + room + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(others.toArray(String[]::new))
                    .check(CLASSES);
        });
    }

    /** Shards may be added, so whoever counts them says for what: {@link ShardCounts} has a number for each purpose. */
    @Test
    void shardsAreCountedByPurpose() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ShardCounts.class.getName())
                .and()
                .resideOutsideOfPackage("io.steadfs.wire.proto..")
                .should()
                .callMethod(ClusterMap.class, "getShardCount")
                .check(CLASSES);
    }

    private static String ofMds(String name) {
        return "io.steadfs.mds." + name + "..";
    }

    private static Set<String> allowed(String module) {
        return IMPORTS_OF.getOrDefault(module, Set.of());
    }

    private static String moduleOf(JavaClass javaClass) {
        String location = javaClass
                .getSource()
                .map(source -> source.getUri().toString())
                .orElseThrow(() -> new AssertionError(javaClass.getName() + " was not found on the class path"));
        Matcher matcher = LOCATION.matcher(location);
        if (!matcher.find()) {
            throw new AssertionError(javaClass.getName() + " comes from an unknown place: " + location);
        }
        String jar = matcher.group("jar");
        return jar != null ? jar : matcher.group("dir");
    }
}

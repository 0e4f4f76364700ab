package io.steadfs.it;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
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
 * What may import what. This is the architecture as a rule:
 *
 * <pre>
 *   fs-api ◄── server ◄── mds, ioserver, webui   wire ─► pipeline ─► op ─► nouns ─► store
 *   fs-api ◄── hadoop-adapter                    duty ─► pipeline (by the clients' door, never op)
 *   all    ◄── cli                               nouns know each other only through op
 * </pre>
 *
 * A package that does not exist yet breaks no rule.
 */
class ImportRulesTest {
    /** Each module, and the modules of ours that it may import. */
    private static final Map<String, Set<String>> IMPORTS_OF = Map.of(
            "fs-api", Set.of(),
            "server", Set.of("fs-api"),
            "mds", Set.of("fs-api", "server"),
            "ioserver", Set.of("fs-api", "server"),
            "hadoop-adapter", Set.of("fs-api"),
            "demo-job", Set.of("fs-api", "hadoop-adapter"),
            "webui", Set.of("fs-api", "server"),
            "cli", Set.of("fs-api", "server", "mds", "ioserver", "hadoop-adapter", "webui"));

    /** Read once by a newcomer; these know no word of file systems. */
    static final List<String> SPINE = List.of("wire", "pipeline", "log", "record", "state", "store");

    /** Rooms: each owns its keys, its reads and its replay. */
    static final List<String> NOUNS = List.of(
            "dirent",
            "metafile",
            "directory",
            "handle",
            "lease",
            "partition",
            "xattr",
            "session",
            "hierarchy",
            "intent",
            "datafile",
            "fence",
            "pool",
            "deletion");

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
        assertThat(seen).contains("mds", "ioserver", "server", "cli");
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

    @Test
    void verbImportsNoDuty() {
        mayNotImport("op", List.of("duty"));
    }

    @Test
    void dutyImportsNoVerb() {
        mayNotImport("duty", List.of("op"));
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
                .allowEmptyShould(true)
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

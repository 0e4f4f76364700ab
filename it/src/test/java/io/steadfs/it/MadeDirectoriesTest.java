package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.steadfs.disk.DurableDirectories;
import java.io.File;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Directories are made by {@link DurableDirectories}, so that none of their names is lost with the power. */
class MadeDirectoriesTest {
    /** Who makes some otherwise, and why that may be. */
    private static final Map<String, String> OTHERS = Map.of(
            "io.steadfs.disk.DurableDirectories", "it is the one who does",
            "io.steadfs.ioserver.file.ChannelDataFiles", "syncs many that lie together at once",
            "io.steadfs.lab.bench.figure.FiguresCommand", "tables and pictures of a run",
            "io.steadfs.lab.bench.compare.CompareCommand", "the report of a run",
            "io.steadfs.lab.bench.compare.CompareReport", "the report of a run",
            "io.steadfs.lab.bench.compare.system.HdfsFolder", "what HDFS has for the time of a run",
            "io.steadfs.lab.torture.Clients", "logs and histories of a run",
            "io.steadfs.lab.torture.Servers", "logs of a run, places to mount disks",
            "io.steadfs.lab.torture.TortureCommand", "results of a run",
            "io.steadfs.rpc.netty.SocketFiles", "sockets, which are of no use after a start of the machine");

    private static final Pattern MAKING = Pattern.compile("createDirector(y|ies)|mkdirs?");

    @Test
    void namesAreMadeDurable() {
        Set<String> makers = new TreeSet<>();
        for (JavaClass each : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("-tests.jar!"))
                .importPackages("io.steadfs")) {
            if (each.getMethodCallsFromSelf().stream().anyMatch(MadeDirectoriesTest::makes)) {
                makers.add(each.getName().replaceFirst("\\$.*", ""));
            }
        }
        assertThat(makers).isEqualTo(new TreeSet<>(OTHERS.keySet()));
    }

    private static boolean makes(JavaMethodCall call) {
        JavaClass owner = call.getTargetOwner();
        return (owner.isEquivalentTo(Files.class) || owner.isEquivalentTo(File.class))
                && MAKING.matcher(call.getName()).matches();
    }
}

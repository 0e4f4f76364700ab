package io.steadfs.cli.local;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the command that starts another process of this program. The new process has the same Java, class path,
 * archive of classes, heap size and log level as this process.
 */
public final class JavaCommand {
    /** The main class. {@code bin/stead} names the same class. */
    private static final String MAIN = "io.steadfs.cli.Main";

    private static final String HEAP = "-Xmx";
    private static final String DEFAULT_HEAP = "-Xmx1g";

    /** How the options begin by which {@code bin/stead} names the archive of classes. */
    private static final List<String> ARCHIVE =
            List.of("-XX:SharedArchiveFile=", "-XX:+VerifySharedSpaces", "-Xlog:cds");

    private JavaCommand() {}

    /** @param arguments arguments for {@code bin/stead} */
    static List<String> of(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(withHeap(ownOptions()));
        command.add("-cp");
        command.add(classPath());
        command.add(MAIN);
        command.addAll(arguments);
        return command;
    }

    /** The command {@code java} of the Java that runs this process. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The class path of this process. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /**
     * The options of this JVM that begin with {@code -XX:}, such as options for compilation and garbage collection.
     * Programs that this process starts get the same options, but their own heap size. The archive of classes is not
     * among the options, because it fits the class path of {@code bin/stead} only.
     */
    public static List<String> tuning() {
        return withoutArchive(ManagementFactory.getRuntimeMXBean().getInputArguments()).stream()
                .filter(option -> option.startsWith("-XX:"))
                .toList();
    }

    /**
     * Java's options for a server with another class path: the options of this process, without its archive of classes.
     * If these options contain no heap size, a default heap size is added.
     */
    public static List<String> options() {
        return withHeap(withoutArchive(ownOptions()));
    }

    /** Whether this process started from an archive of classes of {@code bin/stead}. Its servers do the same. */
    public static boolean hasArchive() {
        return ownOptions().stream().anyMatch(JavaCommand::isOfArchive);
    }

    /** Removes the options that stand for the archive of classes. */
    static List<String> withoutArchive(List<String> options) {
        return options.stream().filter(option -> !isOfArchive(option)).toList();
    }

    private static boolean isOfArchive(String option) {
        return ARCHIVE.stream().anyMatch(option::startsWith);
    }

    private static List<String> ownOptions() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-X") || option.startsWith("-Dstead.log.level="))
                .toList();
    }

    private static List<String> withHeap(List<String> options) {
        if (options.stream().anyMatch(option -> option.startsWith(HEAP))) {
            return options;
        }
        List<String> all = new ArrayList<>(options);
        all.add(DEFAULT_HEAP);
        return all;
    }
}

package io.steadfs.cli.local;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the command that starts another process of this program. The new process has the same Java, class path, heap
 * size and log level as this process.
 */
public final class JavaCommand {
    /** The main class. {@code bin/stead} names the same class. */
    private static final String MAIN = "io.steadfs.cli.Main";

    private static final String HEAP = "-Xmx";
    private static final String DEFAULT_HEAP = "-Xmx1g";

    private JavaCommand() {}

    /** @param arguments arguments for {@code bin/stead} */
    static List<String> of(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options());
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(MAIN);
        command.addAll(arguments);
        return command;
    }

    /**
     * The options of this JVM that begin with {@code -XX:}, such as options for compilation and garbage collection.
     * Programs that this process starts get the same options, but their own heap size.
     */
    public static List<String> tuning() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:"))
                .toList();
    }

    /**
     * Java's options for a server: the options of this process. If these options contain no heap size, a default heap
     * size is added.
     */
    public static List<String> options() {
        List<String> options = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-X") || option.startsWith("-Dstead.log.level="))
                .toList());
        if (options.stream().noneMatch(option -> option.startsWith(HEAP))) {
            options.add(DEFAULT_HEAP);
        }
        return options;
    }
}

package io.steadfs.cli.local;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that starts another process of this program, with the same Java, class path, heap and log level. */
public final class JavaCommand {
    /** The same class as in bin/stead. */
    private static final String MAIN = "io.steadfs.cli.Main";

    private static final String HEAP = "-Xmx";
    private static final String DEFAULT_HEAP = "-Xmx1g";

    private JavaCommand() {}

    /** @param arguments of {@code bin/stead} */
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
     * Options of this JVM about compilation and garbage collection, if there are any. A program that it starts gets the same ones, but a
     * heap size of its own.
     */
    public static List<String> tuning() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:"))
                .toList();
    }

    /** Java's options for a server: those of this process, with a heap size if they have none. */
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

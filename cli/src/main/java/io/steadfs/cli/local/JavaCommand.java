package io.steadfs.cli.local;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How another process of this program is started: the same Java, class path, heap and log level. */
public final class JavaCommand {
    /** As in bin/stead. */
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

    /** How this JVM compiles and collects, where it was told: a program that it starts does likewise, with a heap of its own. */
    public static List<String> tuning() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:"))
                .toList();
    }

    /** Java's own options of a server: those of this process, and how much heap if they do not say it. */
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

package io.steadfs.it;

import io.steadfs.cli.local.JavaCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a test starts a program of its own class path: compiled and collected as the test itself is. */
public final class JavaProgram {
    private JavaProgram() {}

    /** @param options of Java, where they differ from the test's own */
    public static List<String> command(List<String> options, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JavaCommand.tuning());
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(main.getName());
        command.addAll(arguments);
        return command;
    }
}

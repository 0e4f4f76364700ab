package io.steadfs.contract;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands of {@code bin/stead} in this process, so that a short one takes no second for the start of a JVM. They have the
 * class path of {@code bin/stead}, and share no class with the tests, which have the class path of Hadoop's applications.
 */
final class SteadCommand {
    private static final ClassLoader CLASSES = classes();

    private SteadCommand() {}

    /** @param printed what the command and the shell of Hadoop printed */
    record Ended(int exitCode, String printed) {}

    static Ended run(String... arguments) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        PrintStream out = System.out;
        ByteArrayOutputStream shell = new ByteArrayOutputStream();
        thread.setContextClassLoader(CLASSES);
        System.setOut(new PrintStream(shell, true, StandardCharsets.UTF_8));
        try {
            StringWriter printed = new StringWriter();
            PrintWriter writer = new PrintWriter(printed);
            Object command = CLASSES.loadClass("io.steadfs.cli.Main")
                    .getMethod("commandLine")
                    .invoke(null);
            Class<?> type = command.getClass();
            type.getMethod("setOut", PrintWriter.class).invoke(command, writer);
            type.getMethod("setErr", PrintWriter.class).invoke(command, writer);
            Object code = type.getMethod("execute", String[].class).invoke(command, (Object) arguments);
            return new Ended((Integer) code, printed + shell.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            thread.setContextClassLoader(before);
        }
    }

    private static ClassLoader classes() {
        List<URL> jars = new ArrayList<>();
        Path built = Cluster.root().resolve("lab").resolve("target");
        try {
            for (Path directory : List.of(built, built.resolve("lib"))) {
                try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.jar")) {
                    for (Path jar : found) {
                        jars.add(jar.toUri().toURL());
                    }
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("no class path of bin/stead in " + built, e);
        }
        return new URLClassLoader("bin/stead", jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }
}

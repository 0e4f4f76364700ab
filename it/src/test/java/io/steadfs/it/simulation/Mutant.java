package io.steadfs.it.simulation;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The cluster with a mistake planted in its own source: one file is changed, compiled, and loaded with everything else
 * anew. A simulation that finds nothing in a broken cluster shows nothing about a sound one. The servers so need no
 * switches for tests, and a mistake that no longer fits the source is an error.
 *
 * <p>Each edit's text must be in its source exactly once.
 *
 * @param isChecked whether the file system is checked beside the run of a seed
 */
record Mutant(String name, List<Edit> edits, boolean isChecked) {
    Mutant(String name, List<Edit> edits) {
        this(name, edits, false);
    }

    /** @param source below the project's directory */
    record Edit(String source, String from, String to) {}

    /** A sound cluster behind one door, as a class loader of its own has it. */
    interface Seeds {
        /** What is wrong after the run of a seed; empty if nothing is. */
        String violation(long seed);
    }

    /**
     * The changed sources, by their places.
     *
     * @throws IllegalStateException if the source is no longer what the mistake was made for
     */
    Map<String, String> planted(Path project) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        for (Edit edit : edits) {
            String text = texts.containsKey(edit.source())
                    ? texts.get(edit.source())
                    : Files.readString(project.resolve(edit.source()));
            int at = text.indexOf(edit.from());
            if (at < 0 || text.indexOf(edit.from(), at + 1) >= 0) {
                throw new IllegalStateException(name + ": not exactly once in " + edit.source() + ": " + edit.from());
            }
            texts.put(edit.source(), text.replace(edit.from(), edit.to()));
        }
        return texts;
    }

    /**
     * Compiles the changed source, and loads everything.
     *
     * @param project with the sources
     * @param work emptied or made for the compiled classes
     * @throws IllegalStateException if the source is no longer what the mistake was made for
     */
    Seeds load(Path project, Path work) throws IOException {
        Map<String, String> texts = planted(project);
        Path classes = Files.createDirectories(work.resolve(name.replace(' ', '-')));
        List<Path> changed = new ArrayList<>();
        for (Map.Entry<String, String> each : texts.entrySet()) {
            Path file = classes.resolve(Path.of(each.getKey()).getFileName());
            Files.writeString(file, each.getValue());
            changed.add(file);
        }
        if (!changed.isEmpty()) {
            compile(changed, classes);
        }
        try {
            ClassLoader loader = new URLClassLoader(classPath(classes), ClassLoader.getPlatformClassLoader());
            Class<?> seeds = Class.forName(SeedRun.class.getName(), true, loader);
            String door = isChecked ? "violationWithChecks" : "violation";
            return seed -> {
                try {
                    return (String) seeds.getMethod(door, long.class).invoke(null, seed);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(name + " cannot run seed " + seed, e);
                }
            };
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void compile(List<Path> sources, Path target) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-d", target.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
            boolean done = compiler.getTask(
                            null, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!done) {
                throw new IllegalStateException(sources + " do not compile");
            }
        }
    }

    private static URL[] classPath(Path first) throws MalformedURLException {
        List<URL> all = new ArrayList<>();
        all.add(first.toUri().toURL());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                all.add(Path.of(entry).toUri().toURL());
            }
        }
        return all.toArray(URL[]::new);
    }
}

package io.steadfs.lab.bench.machine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The machine and the software of a measurement. A reader needs these facts to repeat the measurement.
 *
 * @param facts value of each fact by name, in the order for the report
 */
public record Machine(Map<String, String> facts) {
    /** The value of a fact begins with this word if the value cannot be found out. */
    public static final String UNKNOWN = "unknown";

    private static final double GIBIBYTE = 1 << 30;

    /**
     * Libraries whose versions affect the measurement. Each entry is the beginning of the name of the library's jar.
     */
    private static final List<String> LIBRARIES =
            List.of("hadoop-client-api", "netty-transport", "protobuf-java", "rocksdbjni", "zookeeper");

    public Machine {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /**
     * Reads the facts of this machine and of this program.
     *
     * @param data folder in which servers keep their data; a small file in the folder is synced several times
     * @param home folder of the program, which may be a git checkout; the folder need not exist
     */
    public static Machine read(Path data, Path home) throws IOException, InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("commit", commit(home));
        facts.put("processor", processor());
        facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("memory", memory());
        facts.put("system", property("os.name") + " " + property("os.version") + ", " + property("os.arch"));
        facts.put(
                "TCP's congestion control",
                line(Path.of("/proc/sys/net/ipv4/tcp_congestion_control"), Pattern.compile("(\\S+)"))
                        .orElse("unknown"));
        facts.put("Java", property("java.vm.name") + " " + property("java.vm.version"));
        facts.put(
                "Java's options",
                String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        facts.put("garbage collectors", collectors());
        facts.put("storage", Files.getFileStore(data).type() + " at " + data);
        facts.put("an fsync of 4 KiB more", Fsync.middleMicros(data) + " us, the middle one of " + Fsync.SAMPLES);
        facts.put("allocator of native memory", allocator());
        LIBRARIES.forEach(library -> version(library).ifPresent(found -> facts.put(library, found)));
        return new Machine(facts);
    }

    /** Returns these facts together with further facts of the measurement. */
    public Machine with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(facts);
        all.putAll(more);
        return new Machine(all);
    }

    /** The facts as a Markdown table of two columns. */
    public String markdown() {
        StringBuilder out = new StringBuilder("| what | is |\n|---|---|\n");
        facts.forEach((name, value) -> out.append("| ")
                .append(name)
                .append(" | ")
                .append(value.isEmpty() ? "none" : value.replace("|", "\\|"))
                .append(" |\n"));
        return out.toString();
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }

    /**
     * The commit of a checkout, and whether the checkout has changes. If git does not know the commit, the text begins
     * with {@link #UNKNOWN}.
     */
    public static String commit(Path home) throws InterruptedException {
        if (!Files.exists(home.resolve(".git"))) {
            return UNKNOWN + ": not run from a checkout";
        }
        Optional<String> commit = said(home, "git", "rev-parse", "--short=12", "HEAD");
        Optional<String> changed = said(home, "git", "status", "--porcelain", "--untracked-files=no");
        return commit.map(number -> number + (changed.filter(String::isEmpty).isPresent() ? "" : ", with changes"))
                .orElse(UNKNOWN);
    }

    private static Optional<String> said(Path folder, String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? Optional.of(text) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String processor() {
        return line(Path.of("/proc/cpuinfo"), Pattern.compile("model name\\s*:\\s*(.*)"))
                .orElse("unknown");
    }

    private static String memory() {
        return line(Path.of("/proc/meminfo"), Pattern.compile("MemTotal:\\s*(\\d+) kB"))
                .map(kibibytes -> String.format(Locale.ROOT, "%.1f GiB", Long.parseLong(kibibytes) * 1024 / GIBIBYTE))
                .orElse("unknown");
    }

    private static Optional<String> line(Path file, Pattern pattern) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(pattern::matcher)
                    .filter(Matcher::matches)
                    .map(matcher -> matcher.group(1))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String collectors() {
        return String.join(
                ", ",
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(java.lang.management.MemoryManagerMXBean::getName)
                        .toList());
    }

    private static String allocator() {
        return Optional.ofNullable(System.getenv("LD_PRELOAD"))
                .filter(library -> !library.isEmpty())
                .orElse("the C library's");
    }

    private static Optional<String> version(String library) {
        Pattern jar = Pattern.compile(Pattern.quote(library) + "-(\\d[\\w.]*)\\.jar");
        Matcher found = jar.matcher(System.getProperty("java.class.path", ""));
        return found.find() ? Optional.of(found.group(1)) : inLibraries(jar);
    }

    /**
     * Finds the version of a library while a test runs. If a test runs from one jar whose manifest lists all other
     * jars, Java's class path does not name the library. Surefire's property then names all jars.
     */
    private static Optional<String> inLibraries(Pattern jar) {
        Matcher found = jar.matcher(System.getProperty("surefire.test.class.path", ""));
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }
}

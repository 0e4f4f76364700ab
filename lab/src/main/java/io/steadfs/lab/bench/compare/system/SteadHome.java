package io.steadfs.lab.bench.compare.system;

import io.steadfs.lab.bench.machine.Machine;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A SteadFS that can be run: a built checkout or an unpacked release. Its commit may differ from the commit of this
 * program. These paths are used:
 *
 * <pre>
 * bin/stead                                 the command that runs the servers
 * hadoop-adapter/target/steadfs-hadoop-*    the client's jar in a checkout
 * client/steadfs-hadoop-*                   the client's jar in a release
 * MODULE/target/lib, or lib                 the servers' jars in a checkout, or in a release
 * VERSION                                   version and commit of a release
 * docs/configuration.md                     the configuration keys
 * </pre>
 */
public record SteadHome(Path path, Path clientJar) {
    private static final String JAR_BEGINS = "steadfs-hadoop-";
    private static final String JAR_ENDS = ".jar";
    private static final String CLIENT_JAR = JAR_BEGINS + "[0-9]*" + JAR_ENDS;
    private static final int DIGITS_OF_COMMIT = 12;

    /**
     * Reads the folder, and starts nothing.
     *
     * @throws IllegalArgumentException if the folder holds no SteadFS that can run. The message names the folder and
     *     what is missing
     */
    public static SteadHome of(Path home) {
        Path path = home.toAbsolutePath().normalize();
        if (!Files.isDirectory(path)) {
            throw new IllegalArgumentException(path + (Files.exists(path) ? " is no folder" : " does not exist"));
        }
        if (!Files.isExecutable(command(path))) {
            throw new IllegalArgumentException(path + " is no SteadFS: there is no command " + command(path));
        }
        try {
            return isCheckout(path) ? checkout(path) : release(path);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot look into " + path + ": " + e.getMessage(), e);
        }
    }

    /** Distinguishes a checkout from a release in the same way as {@code bin/stead}. */
    private static boolean isCheckout(Path path) {
        return Files.exists(path.resolve("pom.xml"));
    }

    private static SteadHome checkout(Path path) throws IOException {
        Path adapter = path.resolve("hadoop-adapter");
        if (!Files.isDirectory(adapter)) {
            throw new IllegalArgumentException(path + " is no SteadFS: it has a pom.xml, but there is no " + adapter);
        }
        if (found(path, "*").stream().noneMatch(module -> Files.isDirectory(module.resolve("target/lib")))) {
            throw new IllegalArgumentException(path + " is not built: there is no folder */target/lib with its jars");
        }
        return new SteadHome(path, clientJar(path, adapter.resolve("target")));
    }

    private static SteadHome release(Path path) throws IOException {
        if (found(path.resolve("lib"), "steadfs-*.jar").isEmpty()) {
            throw new IllegalArgumentException(
                    path + " is no SteadFS: it has neither a pom.xml, as a checkout has, nor "
                            + path.resolve("lib/steadfs-*.jar") + ", as a release has");
        }
        return new SteadHome(path, clientJar(path, path.resolve("client")));
    }

    private static Path clientJar(Path path, Path folder) throws IOException {
        List<Path> jars = found(folder, CLIENT_JAR);
        if (jars.isEmpty()) {
            throw new IllegalArgumentException(path + " has no client jar: there is no " + folder.resolve(CLIENT_JAR));
        }
        if (jars.size() > 1) {
            throw new IllegalArgumentException(path + " has several client jars: " + jars);
        }
        return jars.get(0);
    }

    /** Returns the matching paths in sorted order; empty if the folder does not exist. */
    private static List<Path> found(Path folder, String pattern) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder, pattern)) {
                paths.forEach(found::add);
            }
        }
        return found.stream().sorted().toList();
    }

    private static Path command(Path path) {
        return path.resolve("bin/stead");
    }

    Path command() {
        return command(path);
    }

    /**
     * Describes the version. For a checkout, the text has the commit that git reports. For a release, the text comes
     * from the file {@code VERSION}. If neither is known, the text has the version in the name of the client jar.
     */
    public String version() throws IOException, InterruptedException {
        if (Files.exists(path.resolve(".git"))) {
            String commit = Machine.commit(path);
            if (!commit.startsWith(Machine.UNKNOWN)) {
                return "commit " + commit;
            }
        }
        Path said = path.resolve("VERSION");
        if (Files.exists(said)) {
            String[] words = Files.readString(said).strip().split(" ", 2);
            if (words.length == 2) {
                return words[0] + ", commit " + words[1].substring(0, Math.min(DIGITS_OF_COMMIT, words[1].length()));
            }
        }
        String jar = clientJar.getFileName().toString();
        return "version " + jar.substring(JAR_BEGINS.length(), jar.length() - JAR_ENDS.length());
    }
}

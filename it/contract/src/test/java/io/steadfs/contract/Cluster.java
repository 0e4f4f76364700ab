package io.steadfs.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The cluster under test: {@code bin/stead local} in a process of its own, as users start it, with three metadata
 * servers of one shard each and four IO servers. Its directories split when they have more than a few names, so that the
 * suites meet directories with one partition and with several. Started by the first test that asks, shared by all of this
 * JVM, killed with it.
 */
final class Cluster {
    private static final long START_SECONDS = 240;
    private static final int LAST_LINES = 60;
    /** Metadata shards, each with a metadata server. */
    private static final String SHARDS = System.getProperty("stead.contract.shards", "3");

    private static final String IO_SERVERS = "4";

    /** A directory with more names gives half of them to another shard. */
    static final int SPLIT_ENTRIES = Integer.getInteger("stead.split.entries", 4);

    private static final Pattern READY = Pattern.compile("^READY\\b.*?(stead://[^\\s\",]+)");

    /** A user with no rights beyond a home directory of its own. */
    static final String ALICE = "alice";

    private static final UserGroupInformation ALICES =
            UserGroupInformation.createUserForTesting(ALICE, new String[] {ALICE});

    private static @Nullable URI uri;

    private Cluster() {}

    /** Whether a test has asked for the cluster. */
    static synchronized boolean isRunning() {
        return uri != null;
    }

    /** Where the cluster serves. */
    static synchronized URI uri() {
        URI running = uri;
        if (running == null) {
            try {
                running = start();
                uri = running;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the cluster started", e);
            }
        }
        return running;
    }

    /** For paths without a scheme, too. */
    static Configuration configuration() {
        Configuration conf = new Configuration();
        conf.set("fs.defaultFS", uri().toString());
        conf.set("fs.AbstractFileSystem.stead.impl", "io.steadfs.hadoop.Stead");
        return conf;
    }

    /** As {@link #configuration}, and lets this process make symbolic links. */
    static Configuration withSymlinks() {
        Configuration conf = configuration();
        conf.setBoolean("fs.symlinks.enabled", true);
        return conf;
    }

    /** Runs as {@link #ALICE}, who owns {@code /user/alice}. The suites about permission fail for a superuser. */
    static <T> T asAlice(PrivilegedExceptionAction<T> action) throws IOException, InterruptedException {
        org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path("/user/" + ALICE);
        FileSystem superuser = FileSystem.get(uri(), configuration());
        superuser.mkdirs(home, new FsPermission((short) 0755));
        superuser.setOwner(home, ALICE, ALICE);
        return ALICES.doAs(action);
    }

    private static List<String> command(Path directory) {
        return List.of(
                root().resolve("bin/stead").toString(),
                "local",
                "--port",
                "0",
                "--mds",
                SHARDS,
                "--shards",
                SHARDS,
                "--io",
                IO_SERVERS,
                // Hadoop's suites make files of blocks of 1 KiB, also on HDFS, whose floor they lower.
                "--set",
                "stead.mds.block.size.min=1",
                "--set",
                "stead.partition.split.entries=" + SPLIT_ENTRIES,
                "--dir",
                directory.toString());
    }

    private static URI start() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("stead-contract-");
        Process process =
                new ProcessBuilder(command(directory)).redirectErrorStream(true).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process, directory), "stop-cluster"));
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> pump(process, lines), "cluster-output");
        reader.setDaemon(true);
        reader.start();
        return awaitReady(process, lines);
    }

    private static URI awaitReady(Process process, BlockingQueue<String> lines)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        StringBuilder output = new StringBuilder();
        while (System.nanoTime() < deadline) {
            String line = lines.poll(200, TimeUnit.MILLISECONDS);
            if (line == null) {
                if (!process.isAlive() && lines.isEmpty()) {
                    throw new IOException("bin/stead local ended with code " + process.exitValue() + ":\n" + output);
                }
                continue;
            }
            output.append(line).append('\n');
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                return URI.create(ready.group(1).replaceAll("/+$", ""));
            }
        }
        throw new IOException("bin/stead local was not ready within " + START_SECONDS + " s:\n" + output);
    }

    /** Keeps the pipe empty, so that the cluster never waits to write; keeps the last lines. */
    private static void pump(Process process, BlockingQueue<String> lines) {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                System.err.println("[cluster] " + line);
                while (lines.size() >= LAST_LINES) {
                    lines.poll();
                }
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("output of the cluster could not be read: " + e);
        }
    }

    /** The directory that holds bin: up from where Maven runs this module. */
    static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null && !Files.isExecutable(directory.resolve("bin/stead"))) {
            directory = directory.getParent();
        }
        if (directory == null) {
            throw new IllegalStateException("no bin/stead above " + Path.of("").toAbsolutePath());
        }
        return directory;
    }

    private static void stop(Process process, Path directory) {
        process.destroy();
        try {
            if (!process.waitFor(15, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            System.err.println("not all of " + directory + " could be deleted: " + e);
        }
    }
}

package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cli.local.JavaCommand;
import io.steadfs.lab.demo.SparkClassPath;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where users put the client jar, and the settings that README tells them for it: {@code spark-submit} of Spark 4.2.0, as its
 * script starts it, from a {@code SPARK_HOME} made of links to Spark's jars.
 */
@TestInstance(Lifecycle.PER_CLASS)
class SparkJarsTest {
    /** What README tells for jars that come with the job. */
    private static final List<String> SETTING =
            List.of("--conf", "spark.hadoop.fs.stead.impl=io.steadfs.hadoop.SteadFileSystem");

    private static final List<String> RESULT = List.of("rows=10", "sum=45", "context=true");
    private static final String BY_PROFILE = "only by profile \"spark\"";
    private static final long SECONDS = 300;

    private final SparkClassPath jars;
    private final Cluster cluster;
    private final Path scratch;
    private final Path home;

    SparkJarsTest(@TempDir Path data) throws IOException {
        jars = SparkClassPath.under(Path.of(System.getProperty("stead.home", "")));
        scratch = Files.createDirectory(data.resolve("scratch"));
        home = Files.createDirectory(data.resolve("spark"));
        Files.createDirectory(home.resolve("jars"));
        try (DirectoryStream<Path> spark = Files.newDirectoryStream(jars.spark(), "*.jar")) {
            for (Path jar : spark) {
                link(jar);
            }
        }
        Files.writeString(Files.createDirectory(home.resolve("conf")).resolve("log4j2.properties"), """
                rootLogger.level = warn
                rootLogger.appenderRef.stderr.ref = stderr
                appender.stderr.type = Console
                appender.stderr.name = stderr
                appender.stderr.target = SYSTEM_ERR
                appender.stderr.layout.type = PatternLayout
                appender.stderr.layout.pattern = %p %c{1}: %m%n%ex
                """);
        cluster = Cluster.start(data.resolve("stead"), 1, 3, 1, Cluster.SPLITTING);
    }

    @AfterAll
    void stop() throws IOException {
        cluster.close();
        try (DirectoryStream<Path> links = Files.newDirectoryStream(home.resolve("jars"))) {
            for (Path link : links) {
                Files.delete(link);
            }
        }
    }

    private Path link(Path jar) throws IOException {
        return Files.createSymbolicLink(home.resolve("jars").resolve(jar.getFileName()), jar.toRealPath());
    }

    @Test
    @DisabledIfSystemProperty(named = "stead.spark.jars", matches = "given", disabledReason = BY_PROFILE)
    void amongSparksJarsItNeedsNoSetting() throws IOException, InterruptedException {
        Path link = link(jars.client());
        try {
            assertThat(submit("home", List.of())).containsAll(RESULT);
        } finally {
            Files.delete(link);
        }
    }

    @Test
    void withJarsItNeedsTheSettingOfTheReadme() throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("--jars", jars.client().toString()));
        options.addAll(SETTING);
        assertThat(submit("jars", options)).containsAll(RESULT);
    }

    /** From a Maven repository that is a folder; nothing is asked of others. */
    @Test
    @DisabledIfSystemProperty(named = "stead.spark.jars", matches = "given", disabledReason = BY_PROFILE)
    void withPackagesItNeedsTheSettingOfTheReadme() throws IOException, InterruptedException {
        String name = jars.client().getFileName().toString();
        String version = name.substring("steadfs-hadoop-".length(), name.length() - ".jar".length());
        Path repository = scratch.resolve("repository");
        Path place = Files.createDirectories(repository.resolve("io/steadfs/steadfs-hadoop/" + version));
        Files.copy(jars.client(), place.resolve(name));
        Files.writeString(place.resolve("steadfs-hadoop-" + version + ".pom"), """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>io.steadfs</groupId>
                  <artifactId>steadfs-hadoop</artifactId>
                  <version>%s</version>
                </project>
                """.formatted(version));
        Path ivy = Files.writeString(scratch.resolve("ivysettings.xml"), """
                <ivysettings>
                  <settings defaultResolver="folder"/>
                  <resolvers><ibiblio name="folder" m2compatible="true" root="%s"/></resolvers>
                </ivysettings>
                """.formatted(repository.toUri()));
        List<String> options = new ArrayList<>(List.of(
                "--packages",
                "io.steadfs:steadfs-hadoop:" + version,
                "--conf",
                "spark.jars.ivySettings=" + ivy,
                "--conf",
                "spark.jars.ivy=" + scratch.resolve("ivy")));
        options.addAll(SETTING);
        assertThat(submit("packages", options)).containsAll(RESULT);
    }

    /** @return what the job printed, by lines */
    private List<String> submit(String name, List<String> options) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "org.apache.spark.deploy.SparkSubmit",
                "--master",
                "local[1]",
                "--driver-memory",
                "512m",
                "--driver-java-options",
                String.join(" ", JavaCommand.tuning()),
                "--class",
                "io.steadfs.demo.TenRowsJob"));
        for (String setting : List.of(
                "spark.ui.enabled=false",
                "spark.driver.host=127.0.0.1",
                "spark.driver.bindAddress=127.0.0.1",
                "spark.local.dir=" + scratch,
                "spark.sql.shuffle.partitions=1")) {
            arguments.addAll(List.of("--conf", setting));
        }
        arguments.addAll(options);
        arguments.add(jars.job().toString());
        arguments.add(cluster.local().uri() + "/" + name);
        return run(name, launched(name, arguments)).lines().toList();
    }

    /** What {@code bin/spark-class} of Spark does: its launcher prints the command, after a zero, ended by zeros. */
    private List<String> launched(String name, List<String> arguments) throws IOException, InterruptedException {
        List<String> launcher = new ArrayList<>();
        launcher.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        launcher.addAll(JavaCommand.tuning());
        launcher.addAll(List.of(
                "-Xmx128m", "-cp", home.resolve("jars") + File.separator + "*", "org.apache.spark.launcher.Main"));
        launcher.addAll(arguments);
        String printed = run(name + "-launcher", launcher);
        return List.of(printed.substring(printed.indexOf("\0\n") + 2).split("\0"));
    }

    private String run(String name, List<String> command) throws IOException, InterruptedException {
        Path out = scratch.resolve(name + ".out");
        Path errors = scratch.resolve(name + ".err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(scratch.toFile())
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile());
        // The settings of a Spark or Hadoop that is installed here are none of this one's.
        builder.environment().keySet().removeIf(key -> key.startsWith("SPARK_") || key.startsWith("HADOOP_"));
        builder.environment().put("SPARK_HOME", home.toString());
        // Spark's script finds it in a folder that is only in the release.
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
            String said = Files.readString(errors, StandardCharsets.UTF_8);
            assertThat(ended).as("%s ended in time; it said: %s", command, said).isTrue();
            assertThat(process.exitValue())
                    .as("status of %s; it said: %s", command, said)
                    .isZero();
            return Files.readString(out, StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }
}

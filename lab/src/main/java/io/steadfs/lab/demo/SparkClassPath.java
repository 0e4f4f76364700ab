package io.steadfs.lab.demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The class path of a user of Spark: the jars of a Spark release, the client jar of SteadFS, and the jar of the job.
 * The class path has nothing else.
 *
 * @param spark folder of Spark's jars
 * @param client the client jar of SteadFS
 * @param job jar of the job
 */
public record SparkClassPath(Path spark, Path client, Path job) {

    /**
     * Finds the parts of the class path in a built source tree.
     *
     * @throws IOException if a part is missing; the message names the missing part
     */
    public static SparkClassPath under(Path home) throws IOException {
        Path spark = home.resolve("lab/spark/target/jars");
        if (!Files.isDirectory(spark)) {
            throw new NoSuchFileException(spark.toString(), null, "Spark's jars are not there; build with bin/stead");
        }
        return new SparkClassPath(
                spark,
                only(home.resolve("hadoop-adapter/target"), "steadfs-hadoop-[0-9]*.jar"),
                only(home.resolve("lab/demo-job/target"), "steadfs-demo-job-[0-9]*.jar"));
    }

    private static Path only(Path folder, String pattern) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, pattern)) {
                jars.forEach(found::add);
            }
        }
        if (found.size() != 1) {
            throw new IOException(
                    "wants exactly one " + pattern + " in " + folder + ", found " + found + "; build with bin/stead");
        }
        return found.get(0);
    }

    /** The class path as an argument of {@code java -cp}. */
    @Override
    public String toString() {
        return job + File.pathSeparator + client + File.pathSeparator + spark.resolve("*");
    }
}

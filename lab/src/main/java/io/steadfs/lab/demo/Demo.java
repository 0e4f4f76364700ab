package io.steadfs.lab.demo;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.report.Progress;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.client.write.FileWriter;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs the demo: copies texts to SteadFS, lets Spark count the words, and compares Spark's counts with a plain count.
 */
final class Demo {
    private static final int TOP = 10;
    private static final long SPARK_SECONDS = 600;
    private static final String INPUT = "texts";
    private static final String OUTPUT = "words";

    private final SteadUri uri;
    private final Connection connection;
    private final FsPath folder;
    private final SparkClassPath classPath;
    private final Map<String, String> settings;
    private final Cleanup cleanup;
    private final Progress progress;
    private final List<Phase> phases = new ArrayList<>();
    private Counters before;
    private long startedNanos;

    /**
     * @param folder folder on SteadFS in which the demo works; the folder must not exist yet
     * @param settings configuration values that the job's file system gets in addition to the defaults
     */
    Demo(
            SteadUri uri,
            Connection connection,
            FsPath folder,
            SparkClassPath classPath,
            Map<String, String> settings,
            Cleanup cleanup,
            Progress progress)
            throws IOException {
        this.uri = uri;
        this.connection = connection;
        this.folder = folder;
        this.classPath = classPath;
        this.settings = settings;
        this.cleanup = cleanup;
        this.progress = progress;
        this.before = connection.counters();
        this.startedNanos = System.nanoTime();
    }

    /**
     * Runs all parts of the demo.
     *
     * @param plain count to compare with Spark's count: usually the count of {@code texts}; another count if a test
     *     wants a difference
     */
    DemoResult run(Texts texts, PlainCount plain) throws IOException, InterruptedException {
        copyIn(texts);
        end("copy in");

        String letter = plain.mostFrequentLetter();
        JobResult job = runSpark(letter);
        end("Spark");

        List<MadeFile> made = made();
        List<String> differences = SumCheck.differences(plain, job, letter);
        return new DemoResult(uri + folder.toString(), texts, job, letter, phases, made, differences);
    }

    private void copyIn(Texts texts) throws IOException {
        progress.say(String.format(
                Locale.ROOT,
                "copying %,d files (%,d bytes) from %s to %s",
                texts.files().size(),
                texts.bytes(),
                texts.folder(),
                uri + folder.toString()));
        SteadFs fs = connection.fs();
        byte[] buffer = new byte[1 << 16];
        for (Path file : texts.files()) {
            FsPath target = folder.child(INPUT);
            for (Path component : file) {
                target = target.child(FsPath.checkName(component.toString(), file.toString()));
            }
            try (InputStream in = Files.newInputStream(texts.folder().resolve(file));
                    FileWriter out = fs.create(target, CreateOptions.DEFAULT)) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    out.write(buffer, 0, count);
                }
            }
        }
    }

    private JobResult runSpark(String letter) throws IOException, InterruptedException {
        Path scratch = cleanup.temporaryFolder("stead-spark-");
        SparkProcess spark = cleanup.add(SparkProcess.start(
                classPath,
                scratch,
                "io.steadfs.demo.WordCountJob",
                List.of(
                        uri + folder.child(INPUT).toString(),
                        uri + folder.child(OUTPUT).toString(),
                        letter,
                        Integer.toString(TOP)),
                settings,
                progress::say));
        List<String> printed = spark.await(SPARK_SECONDS);
        String last = printed.isEmpty() ? "" : printed.get(printed.size() - 1);
        if (!last.startsWith("{")) {
            throw new IOException("the Spark job ended without a result; it printed: " + printed);
        }
        return JobResult.parse(last);
    }

    private List<MadeFile> made() throws IOException {
        List<MadeFile> made = new ArrayList<>();
        Iterator<Entry> entries = connection.fs().listTree(folder.child(OUTPUT), false);
        while (entries.hasNext()) {
            Entry entry = entries.next();
            made.add(new MadeFile(OUTPUT + "/" + entry.name(), entry.info().length()));
        }
        made.sort(Comparator.comparing(MadeFile::path));
        return made;
    }

    private void end(String phase) throws IOException {
        long millis = (System.nanoTime() - startedNanos) / 1_000_000;
        Counters now = connection.counters();
        phases.add(new Phase(phase, millis, now.since(before).messages()));
        before = now;
        startedNanos = System.nanoTime();
    }
}

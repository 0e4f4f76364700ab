package io.steadfs.demo;

import static org.apache.spark.sql.functions.col;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.history.EventLogFileReader;
import org.apache.spark.deploy.history.FsHistoryProvider;
import org.apache.spark.deploy.history.LoadedAppUI;
import org.apache.spark.scheduler.ReplayListenerBus;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerApplicationStart;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Makes tables by {@code CREATE TABLE ... AS SELECT} in a warehouse on SteadFS while Spark logs its events there, reads
 * them back in another session, and then reads the event log as Spark's history server does. It does so while the application
 * runs, too, with a client that is not the application's.
 *
 * <p>Argument: the URI of a folder to work in. Prints {@code name=value} lines; ends with an exception where something
 * differs.
 */
public final class TablesAndEventsJob {
    private static final int ROWS = 5_000;
    private static final long LISTED_SECONDS = 60;
    private static final String NUMBERS =
            "SELECT id, concat('text ', hex(id * 7919)) AS text, id % 5 AS part" + " FROM range(" + ROWS + ")";

    private final String folder;

    private TablesAndEventsJob(String folder) {
        this.folder = folder;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 1) {
            throw new IllegalArgumentException("wants 1 argument (folder), got " + args.length + ": " + List.of(args));
        }
        new TablesAndEventsJob(args[0]).run();
    }

    private void run() throws IOException, InterruptedException {
        Configuration hadoop;
        String application;
        new Path(logs()).getFileSystem(new Configuration()).mkdirs(new Path(logs()));
        try (SparkSession spark = session(true)) {
            application = spark.sparkContext().applicationId();
            makeTables(spark);
            besideTheApplication(application);
            hadoop = new Configuration(spark.sparkContext().hadoopConfiguration());
        }
        try (SparkSession spark = session(false)) {
            readTables(spark);
        }
        replay(hadoop, application);
        asHistoryServer(application);
    }

    private String logs() {
        return folder + "/events";
    }

    private SparkSession session(boolean logged) {
        return SparkSession.builder()
                .appName("tables")
                .config("spark.sql.warehouse.dir", folder + "/warehouse")
                .config("spark.sql.legacy.createHiveTableByDefault", "false")
                .config("spark.eventLog.enabled", logged)
                .config("spark.eventLog.dir", logs())
                .getOrCreate();
    }

    private static void makeTables(SparkSession spark) {
        spark.sql("CREATE TABLE plain USING parquet AS " + NUMBERS);
        spark.sql("CREATE TABLE parted USING parquet PARTITIONED BY (part) AS SELECT * FROM plain");
        check("plain in its own session", spark.table("plain").orderBy("id").collectAsList(), rows(spark));
        spark.sql("CREATE TABLE passing USING parquet AS SELECT * FROM plain WHERE id < 10");
        spark.sql("DROP TABLE passing");
    }

    /** By another session, whose catalog does not know them. */
    private void readTables(SparkSession spark) throws IOException {
        for (String table : List.of("plain", "parted")) {
            String place = folder + "/warehouse/" + table;
            List<Row> found = spark.read()
                    .parquet(place)
                    .select(col("id"), col("text"), col("part").cast("long"))
                    .orderBy("id")
                    .collectAsList();
            check(place, found, rows(spark));
            System.out.println(table + "=" + found.size());
        }
        Path dropped = new Path(folder, "warehouse/passing");
        if (dropped.getFileSystem(spark.sparkContext().hadoopConfiguration()).exists(dropped)) {
            throw new IllegalStateException(dropped + " is there after DROP TABLE");
        }
    }

    private static List<Row> rows(SparkSession spark) {
        return spark.sql(NUMBERS).orderBy("id").collectAsList();
    }

    private static void check(String what, List<Row> found, List<Row> expected) {
        if (found.size() != expected.size()) {
            throw new IllegalStateException(what + " has " + found.size() + " rows, expected " + expected.size());
        }
        for (int i = 0; i < found.size(); i++) {
            if (!found.get(i).equals(expected.get(i))) {
                throw new IllegalStateException(
                        what + ": row " + i + " is " + found.get(i) + ", expected " + expected.get(i));
            }
        }
    }

    /** Counts the events in the log, and the jobs that succeeded. */
    private static final class EventCount extends SparkListener {
        private final Map<String, Integer> counts = new TreeMap<>();

        private void count(String what) {
            counts.merge(what, 1, Integer::sum);
        }

        @Override
        public void onApplicationStart(SparkListenerApplicationStart event) {
            count("start of " + event.appName());
        }

        @Override
        public void onApplicationEnd(SparkListenerApplicationEnd event) {
            count("end");
        }

        @Override
        public void onJobStart(SparkListenerJobStart event) {
            count("jobs started");
        }

        @Override
        public void onJobEnd(SparkListenerJobEnd event) {
            count(event.jobResult().toString());
        }

        @Override
        public void onTaskEnd(SparkListenerTaskEnd event) {
            count("tasks " + event.reason());
        }
    }

    private void replay(Configuration hadoop, String application) throws IOException {
        FileSystem fs = new Path(logs()).getFileSystem(hadoop);
        FileStatus[] found = fs.listStatus(new Path(logs()));
        if (found.length != 1 || !found[0].getPath().getName().contains(application)) {
            throw new IllegalStateException("wants the log of " + application + " alone, found " + List.of(found));
        }
        EventLogFileReader reader = EventLogFileReader.apply(fs, found[0]).get();
        if (!reader.completed()) {
            throw new IllegalStateException(found[0].getPath() + " is not complete");
        }
        EventCount events = new EventCount();
        ReplayListenerBus bus = new ReplayListenerBus();
        bus.addListener(events);
        for (FileStatus file : CollectionConverters.asJava(reader.listEventLogFiles())) {
            try (InputStream in = EventLogFileReader.openEventLog(file.getPath(), fs)) {
                if (!bus.replay(in, file.getPath().toString(), false, ReplayListenerBus.SELECT_ALL_FILTER())) {
                    throw new IllegalStateException(file.getPath() + " was not read to its end");
                }
            }
        }
        events.counts.forEach((what, count) -> System.out.println("event " + what + "=" + count));
    }

    private FsHistoryProvider history() {
        return new FsHistoryProvider(new SparkConf()
                .set("spark.history.fs.logDirectory", logs())
                .set("spark.history.fs.cleaner.enabled", "false")
                .set("spark.hadoop.fs.stead.impl.disable.cache", "true"));
    }

    /** The log is open, and what its status says of the length is all that the history server goes by. */
    private void besideTheApplication(String application) throws InterruptedException {
        FsHistoryProvider history = history();
        try {
            awaitListed(history, application);
            boolean completed = history.getListing().next().attempts().head().completed();
            LoadedAppUI ui = history.getAppUI(application, Option.empty()).get();
            System.out.println("running completed=" + completed);
            System.out.println("running jobs=" + ui.ui().store().jobsList(null).size());
        } finally {
            history.stop();
        }
    }

    private void asHistoryServer(String application) throws InterruptedException {
        FsHistoryProvider history = history();
        try {
            awaitListed(history, application);
            LoadedAppUI ui = history.getAppUI(application, Option.empty()).get();
            System.out.println("history jobs=" + ui.ui().store().jobsList(null).size());
        } finally {
            history.stop();
        }
    }

    /** The provider reads logs in threads of its own. */
    private static void awaitListed(FsHistoryProvider history, String application) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LISTED_SECONDS);
        while (true) {
            history.checkForLogs();
            List<String> listed = new ArrayList<>();
            CollectionConverters.asJava(history.getListing()).forEachRemaining(found -> listed.add(found.id()));
            if (listed.equals(List.of(application))) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("wants " + application + " alone listed, found " + listed);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}

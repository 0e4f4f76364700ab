package io.steadfs.demo;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Makes and changes a table of Delta Lake. Each change of the table is a new file in the table's log, which a rename puts
 * there; whoever finds the name taken has lost against another writer, and tries again with the next name.
 *
 * <p>Arguments: the URI of a folder to work in, and {@code all}, or {@code append} with a number of rows, the first of
 * them, and a number of processes. {@code all} makes the table, changes it in each way and reads it at an old version.
 * {@code append} waits until so many processes are ready to append, and adds the rows to the table one by one. Prints
 * {@code name=value} lines; ends with an exception where something differs.
 */
public final class DeltaTableJob {
    private static final int ROWS = 1_000;
    private static final int PARTS = 4;
    private static final long READY_SECONDS = 120;
    /** With the changes that follow, enough for a checkpoint of the log, which Delta makes with each tenth change. */
    private static final int APPENDS = 6;

    private final SparkSession spark;
    private final String table;

    private DeltaTableJob(SparkSession spark, String folder) {
        this.spark = spark;
        this.table = folder + "/table";
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        boolean appends = args.length == 5 && args[1].equals("append");
        if (!appends && !(args.length == 2 && args[1].equals("all"))) {
            throw new IllegalArgumentException(
                    "wants a folder and all, or a folder, append, number of rows, the first and number of processes; got "
                            + List.of(args));
        }
        try (SparkSession spark = SparkSession.builder()
                .appName("delta")
                .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
                .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
                // Else each look at the log is 50 tasks.
                .config("spark.databricks.delta.snapshotPartitions", "2")
                // Else VACUUM refuses to remove files that are younger than a week.
                .config("spark.databricks.delta.retentionDurationCheck.enabled", "false")
                .getOrCreate()) {
            DeltaTableJob job = new DeltaTableJob(spark, args[0]);
            if (appends) {
                job.awaitReady(new Path(args[0], "ready"), args[3], Integer.parseInt(args[4]));
                job.append(Integer.parseInt(args[2]), Long.parseLong(args[3]));
                System.out.println("appended=" + args[2]);
                System.out.println("count=" + job.count("SELECT count(*) FROM {}"));
                System.out.println("versions=" + (job.lastVersion() + 1));
            } else {
                job.all();
            }
        }
    }

    private void all() throws IOException {
        spark.range(ROWS)
                .selectExpr("id", "id % " + PARTS + " AS part", "concat('text ', hex(id * 7919)) AS text")
                .write()
                .format("delta")
                .partitionBy("part")
                .save(table);
        append(APPENDS, ROWS);
        long rows = ROWS + APPENDS;
        isAt("after appends", rows, rows * (rows - 1) / 2);

        sql("UPDATE {} SET text = 'changed' WHERE id < 10");
        expect("changed", "SELECT count(*) FROM {} WHERE text = 'changed'", 10);
        sql("DELETE FROM {} WHERE id >= " + ROWS);
        isAt("after a delete", ROWS, ROWS * (ROWS - 1L) / 2);
        sql("MERGE INTO {} AS t USING (SELECT id, 'merged' AS text FROM range(" + (ROWS - 5) + ", " + (ROWS + 5)
                + ")) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET text = s.text"
                + " WHEN NOT MATCHED THEN INSERT (id, part, text) VALUES (s.id, 0, s.text)");
        expect("merged", "SELECT count(*) FROM {} WHERE text = 'merged'", 10);
        isAt("after a merge", ROWS + 5, (ROWS + 5) * (ROWS + 4L) / 2);

        expect("old version", "SELECT count(*) FROM {} VERSION AS OF 0", ROWS);
        sql("OPTIMIZE {}");
        sql("VACUUM {} RETAIN 0 HOURS");
        isAt("after a vacuum", ROWS + 5, (ROWS + 5) * (ROWS + 4L) / 2);
        System.out.println("rows=" + (ROWS + 5));
        tellLog();
    }

    private void append(int rows, long first) {
        for (long id = first; id < first + rows; id++) {
            spark.range(id, id + 1)
                    .selectExpr("id", "id % " + PARTS + " AS part", "'appended' AS text")
                    .coalesce(1)
                    .write()
                    .format("delta")
                    .mode(SaveMode.Append)
                    .save(table);
        }
    }

    /** Returns when so many processes have put a file of their own into the folder. */
    private void awaitReady(Path folder, String name, int processes) throws IOException, InterruptedException {
        FileSystem fs = folder.getFileSystem(spark.sparkContext().hadoopConfiguration());
        fs.create(new Path(folder, name)).close();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (fs.listStatus(folder).length < processes) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "wants " + processes + " processes, ready are " + List.of(fs.listStatus(folder)));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private long lastVersion() {
        return sql("DESCRIBE HISTORY {} LIMIT 1").get(0).<Long>getAs("version");
    }

    private List<Row> sql(String text) {
        return spark.sql(text.replace("{}", "delta.`" + table + "`")).collectAsList();
    }

    private long count(String query) {
        return sql(query).get(0).getLong(0);
    }

    private void expect(String what, String query, long expected) {
        long found = count(query);
        if (found != expected) {
            throw new IllegalStateException(what + ": " + found + ", expected " + expected);
        }
    }

    private void isAt(String when, long rows, long sum) {
        expect("rows " + when, "SELECT count(*) FROM {}", rows);
        expect("sum of ids " + when, "SELECT sum(id) FROM {}", sum);
    }

    /** Each version has its file, none is left out, and no temporary file is left. */
    private void tellLog() throws IOException {
        long last = lastVersion();
        Path log = new Path(table, "_delta_log");
        FileSystem fs = log.getFileSystem(spark.sparkContext().hadoopConfiguration());
        List<String> names = Arrays.stream(fs.listStatus(log))
                .map(FileStatus::getPath)
                .map(Path::getName)
                .toList();
        for (long version = 0; version <= last; version++) {
            String name = String.format("%020d.json", version);
            if (!names.contains(name)) {
                throw new IllegalStateException(name + " is not in " + log + ", of versions 0 to " + last);
            }
        }
        List<String> temporary =
                names.stream().filter(name -> name.endsWith(".tmp")).toList();
        if (!temporary.isEmpty()) {
            throw new IllegalStateException("temporary files are left in " + log + ": " + temporary);
        }
        System.out.println("versions=" + (last + 1));
        System.out.println("checkpoints="
                + names.stream().filter(name -> name.contains(".checkpoint.")).count());
    }
}

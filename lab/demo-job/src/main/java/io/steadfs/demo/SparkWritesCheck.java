package io.steadfs.demo;

import static org.apache.spark.sql.functions.col;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Writes a table in the ways that Spark knows (overwrite, append, overwrite of single partitions; Parquet, CSV, JSON;
 * both algorithms of Hadoop's file committer), reads it back after each, and compares every row. After each write there
 * must be a {@code _SUCCESS} and nothing temporary.
 *
 * <p>Argument: the URI of a folder to work in, which must not exist. Prints one line for each check; ends with an
 * exception, and so with a status other than 0, at the first difference.
 */
public final class SparkWritesCheck {
    private static final StructType SCHEMA = new StructType()
            .add("id", DataTypes.IntegerType)
            .add("text", DataTypes.StringType)
            .add("day", DataTypes.StringType);

    private final SparkSession spark;
    private final Path folder;
    private int checks;

    private SparkWritesCheck(SparkSession spark, Path folder) {
        this.spark = spark;
        this.folder = folder;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            throw new IllegalArgumentException("wants 1 argument (folder), got " + args.length + ": " + List.of(args));
        }
        try (SparkSession spark = SparkSession.builder()
                .appName("ways to write")
                .config("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
                .getOrCreate()) {
            SparkWritesCheck check = new SparkWritesCheck(spark, new Path(args[0]));
            check.parquet(1);
            check.parquet(2);
            check.text("csv");
            check.text("json");
            System.out.println("passed " + check.checks + " checks with Spark " + spark.version());
        }
    }

    private void parquet(int algorithm) throws IOException {
        spark.sparkContext().hadoopConfiguration().setInt("mapreduce.fileoutputcommitter.algorithm.version", algorithm);
        Path table = new Path(folder, "parquet-" + algorithm);
        String name = "Parquet, committer algorithm " + algorithm + ", ";
        List<Row> first = rows(0, 1_000, "monday", "tuesday", "wednesday");
        List<Row> second = rows(5_000, 700, "tuesday", "friday");
        List<Row> added = rows(9_000, 300, "monday", "friday", "sunday");
        List<Row> replaced = rows(20_000, 50, "friday");

        write(first, SaveMode.ErrorIfExists, table);
        check(name + "new", "parquet", table, first);

        refuseSecondTime(first, table);
        check(name + "refused second time", "parquet", table, first);

        write(second, SaveMode.Overwrite, table);
        check(name + "overwrite", "parquet", table, second);

        write(added, SaveMode.Append, table);
        check(name + "append", "parquet", table, joined(second, added));

        spark.conf().set("spark.sql.sources.partitionOverwriteMode", "dynamic");
        write(replaced, SaveMode.Overwrite, table);
        spark.conf().set("spark.sql.sources.partitionOverwriteMode", "static");
        check(
                name + "overwrite of one partition",
                "parquet",
                table,
                joined(without("friday", joined(second, added)), replaced));

        write(first, SaveMode.Ignore, table);
        check(name + "ignored", "parquet", table, joined(without("friday", joined(second, added)), replaced));
    }

    private void text(String format) throws IOException {
        Path table = new Path(folder, format);
        List<Row> first = rows(0, 400, "monday", "sunday");
        List<Row> second = rows(400, 400, "sunday");
        frame(first).write().format(format).mode(SaveMode.Overwrite).save(table.toString());
        check(format + ", new", format, table, first);
        frame(second).write().format(format).mode(SaveMode.Append).save(table.toString());
        check(format + ", append", format, table, joined(first, second));
        frame(second).write().format(format).mode(SaveMode.Overwrite).save(table.toString());
        check(format + ", overwrite", format, table, second);
    }

    private void write(List<Row> rows, SaveMode mode, Path table) {
        frame(rows).write().mode(mode).partitionBy("day").parquet(table.toString());
    }

    private void refuseSecondTime(List<Row> rows, Path table) {
        try {
            write(rows, SaveMode.ErrorIfExists, table);
        } catch (Exception e) {
            // Declared nowhere in Java's sight, but checked.
            if (e instanceof AnalysisException) {
                return;
            }
            throw e;
        }
        throw new IllegalStateException("a second write to " + table + " was not refused");
    }

    private Dataset<Row> frame(List<Row> rows) {
        return spark.createDataFrame(rows, SCHEMA).repartition(3);
    }

    private void check(String what, String format, Path table, List<Row> expected) throws IOException {
        List<Row> found = spark.read()
                .format(format)
                .schema(SCHEMA)
                .load(table.toString())
                .select(col("id"), col("text"), col("day"))
                .orderBy(col("id"))
                .collectAsList();
        if (found.size() != expected.size()) {
            throw new IllegalStateException(
                    what + ": " + table + " has " + found.size() + " rows, expected " + expected.size());
        }
        for (int i = 0; i < found.size(); i++) {
            if (!found.get(i).equals(expected.get(i))) {
                throw new IllegalStateException(
                        what + ": row " + i + " of " + table + " is " + found.get(i) + ", expected " + expected.get(i));
            }
        }
        int files = checkFiles(what, table);
        checks++;
        System.out.println("checked: " + what + ": " + found.size() + " rows in " + files + " files");
    }

    /** Counts the files with rows. */
    private int checkFiles(String what, Path table) throws IOException {
        FileSystem fs = table.getFileSystem(spark.sparkContext().hadoopConfiguration());
        boolean success = false;
        int data = 0;
        RemoteIterator<LocatedFileStatus> files = fs.listFiles(table, true);
        while (files.hasNext()) {
            Path file = files.next().getPath();
            String below = table.toUri().relativize(file.toUri()).getPath();
            if (below.equals("_SUCCESS")) {
                success = true;
            } else if (below.matches("(day=[a-z]+/)?part-[^/]+")) {
                data++;
            } else {
                throw new IllegalStateException(what + ": unexpected file " + file);
            }
        }
        if (!success) {
            throw new IllegalStateException(what + ": no _SUCCESS in " + table);
        }
        if (fs.exists(new Path(table, "_temporary"))) {
            throw new IllegalStateException(what + ": " + table + " still has _temporary");
        }
        return data;
    }

    /** Rows with ids from {@code from} on, dealt to the days in turn. */
    private static List<Row> rows(int from, int count, String... days) {
        List<Row> rows = new ArrayList<>();
        for (int id = from; id < from + count; id++) {
            rows.add(RowFactory.create(id, "text " + Integer.toHexString(id * 0x9E3779B1), days[id % days.length]));
        }
        return rows;
    }

    private static List<Row> joined(List<Row> lower, List<Row> higher) {
        List<Row> rows = new ArrayList<>(lower);
        rows.addAll(higher);
        return rows;
    }

    private static List<Row> without(String day, List<Row> rows) {
        return rows.stream().filter(row -> !row.getString(2).equals(day)).toList();
    }
}

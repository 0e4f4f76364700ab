package io.steadfs.demo;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.crc32;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.lower;
import static org.apache.spark.sql.functions.regexp_extract_all;
import static org.apache.spark.sql.functions.substring;
import static org.apache.spark.sql.functions.sum;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Counts the words of a folder, writes the counts as Parquet partitioned by first letter, and says what it reads back
 * from there. A word is an unbroken run of ASCII letters. Case is ignored.
 *
 * <p>Arguments: the folder's URI, the URI to write to (which must not exist), the letter to filter by, how many of the
 * most frequent words to tell. The result is one line of JSON on standard output, every number of it from the Parquet
 * files; lines beginning with {@code progress: } on standard error say what goes on.
 */
public final class WordCountJob {
    private final SparkSession spark;
    private final String output;
    private final Map<String, Object> millis = new LinkedHashMap<>();

    private WordCountJob(SparkSession spark, String output) {
        this.spark = spark;
        this.output = output;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 4) {
            throw new IllegalArgumentException(
                    "wants 4 arguments (input, output, letter, top), got " + args.length + ": " + List.of(args));
        }
        long started = System.nanoTime();
        progress("starting Spark");
        try (SparkSession spark = SparkSession.builder().appName("word count").getOrCreate()) {
            WordCountJob job = new WordCountJob(spark, args[1]);
            job.millis.put("start", since(started));
            Map<String, Object> result = job.run(args[0], args[2], Integer.parseInt(args[3]));
            System.out.println(new ObjectMapper().writeValueAsString(result));
        }
    }

    private Map<String, Object> run(String input, String letter, int top) throws IOException {
        write(input);
        Dataset<Row> counts = spark.read().parquet(output);

        Map<String, Object> result = new LinkedHashMap<>();
        result.put("spark", spark.version());
        result.put("letters", letters(counts));
        result.put("top", top(counts, top));
        result.put("filtered", filtered(counts, letter));
        result.put("millis", millis);
        result.put("creates", creates());
        return result;
    }

    /** How the file system made this process's files, as it counts that in Hadoop's storage statistics. */
    private Map<String, Long> creates() throws IOException {
        FileSystem files =
                FileSystem.get(URI.create(output), spark.sparkContext().hadoopConfiguration());
        Map<String, Long> creates = new TreeMap<>();
        files.getStorageStatistics().getLongStatistics().forEachRemaining(statistic -> {
            if (statistic.getName().startsWith("create.")) {
                creates.put(statistic.getName(), statistic.getValue());
            }
        });
        return creates;
    }

    private void write(String input) {
        progress("counting the words of " + input);
        long started = System.nanoTime();
        Dataset<Row> words = spark.read()
                .option("recursiveFileLookup", true)
                .text(input)
                .select(explode(regexp_extract_all(col("value"), lit("[A-Za-z]+"), lit(0)))
                        .as("word"))
                .select(lower(col("word")).as("word"))
                .groupBy(col("word"))
                .agg(count(lit(1)).as("count"))
                .withColumn("letter", substring(col("word"), 1, 1));
        words.repartition(col("letter")).write().partitionBy("letter").parquet(output);
        millis.put("count and write", since(started));
    }

    /** For each letter: distinct words, their sum, and a sum over (CRC-32 of the word x its count) that binds the two. */
    private List<Map<String, Object>> letters(Dataset<Row> counts) {
        progress("reading the sums of all letters");
        long started = System.nanoTime();
        List<Row> rows = counts.groupBy(col("letter"))
                .agg(
                        count(lit(1)),
                        sum(col("count")),
                        sum(crc32(col("word").cast("binary")).multiply(col("count"))))
                .orderBy(col("letter"))
                .collectAsList();
        List<Map<String, Object>> letters = new ArrayList<>();
        for (Row row : rows) {
            Map<String, Object> letter = new LinkedHashMap<>();
            letter.put("letter", row.getString(0));
            letter.put("distinct", row.getLong(1));
            letter.put("words", row.getLong(2));
            letter.put("fingerprint", row.getLong(3));
            letters.add(letter);
        }
        millis.put("read all", since(started));
        return letters;
    }

    private static List<Map<String, Object>> top(Dataset<Row> counts, int limit) {
        return wordCounts(counts.orderBy(col("count").desc(), col("word").asc()).limit(limit));
    }

    /** Words of one partition that occur at least twice: a filter on directories and one inside the Parquet files. */
    private List<Map<String, Object>> filtered(Dataset<Row> counts, String letter) {
        progress("reading with a filter: letter = '" + letter + "' and count >= 2");
        long started = System.nanoTime();
        List<Map<String, Object>> words = wordCounts(
                counts.where(col("letter").equalTo(letter).and(col("count").geq(2)))
                        .orderBy(col("word").asc()));
        millis.put("read filtered", since(started));
        return words;
    }

    private static List<Map<String, Object>> wordCounts(Dataset<Row> rows) {
        List<Map<String, Object>> words = new ArrayList<>();
        for (Row row : rows.select(col("word"), col("count")).collectAsList()) {
            Map<String, Object> word = new LinkedHashMap<>();
            word.put("word", row.getString(0));
            word.put("count", row.getLong(1));
            words.add(word);
        }
        return words;
    }

    private static long since(long startedNanos) {
        return (System.nanoTime() - startedNanos) / 1_000_000;
    }

    private static void progress(String what) {
        System.err.println("progress: " + what);
    }
}

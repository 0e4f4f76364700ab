package io.steadfs.demo;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.countDistinct;
import static org.apache.spark.sql.functions.crc32;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.split;
import static org.apache.spark.sql.functions.sum;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager$;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryListener;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A stream from files of lines {@code id,text} to a Parquet folder, each id once; one file is one batch. Its progress
 * and what it has seen are in a checkpoint next to the output, so that it may be ended in any way, and goes on where it
 * was when it is started again.
 *
 * <p>Arguments: a folder that holds {@code in} and gets {@code out} and {@code checkpoint}, and how to end:
 *
 * <pre>
 * stop N    stop the query after N batches
 * never     wait for more input until killed
 * all       end when all input is read, then read the output and print what it holds, as {@code name=value} lines
 * </pre>
 *
 * Lines on standard error: {@code progress: reading} at the first line of a batch's file, {@code progress: done} after a
 * batch.
 */
public final class StreamingJob {
    private final SparkSession spark;
    private final String folder;

    private StreamingJob(SparkSession spark, String folder) {
        this.spark = spark;
        this.folder = folder;
    }

    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            throw new IllegalArgumentException("wants a folder and how to end, got " + List.of(args));
        }
        try (SparkSession spark = SparkSession.builder().appName("stream").getOrCreate()) {
            StreamingJob job = new StreamingJob(spark, args[0]);
            switch (args[1]) {
                case "stop" -> job.stopAfter(Integer.parseInt(args[2]));
                case "never" -> job.start(Trigger.ProcessingTime(0)).awaitTermination();
                case "all" -> job.toTheEnd();
                default -> throw new IllegalArgumentException("no way to end: " + args[1]);
            }
        }
    }

    private void stopAfter(int batches) throws Exception {
        CountDownLatch done = new CountDownLatch(batches);
        spark.streams().addListener(new EachBatch(done));
        StreamingQuery query = start(Trigger.ProcessingTime(0));
        done.await();
        query.stop();
    }

    private void toTheEnd() throws Exception {
        start(Trigger.AvailableNow()).awaitTermination();
        Row sums = spark.read()
                .parquet(folder + "/out")
                .agg(
                        count(lit(1)),
                        countDistinct(col("id")),
                        sum(col("id")),
                        sum(crc32(col("text").cast("binary"))))
                .head();
        System.out.println("rows=" + sums.getLong(0));
        System.out.println("ids=" + sums.getLong(1));
        System.out.println("sum=" + sums.getLong(2));
        System.out.println("fingerprint=" + sums.getLong(3));
        System.out.println("batches=" + committed());
        System.out.println("manager=" + manager());
    }

    /** Batches that the checkpoint says are complete. */
    private int committed() throws IOException {
        Path commits = new Path(folder, "checkpoint/commits");
        FileSystem fs = commits.getFileSystem(hadoop());
        int found = 0;
        for (FileStatus file : fs.listStatus(commits)) {
            if (file.getPath().getName().matches("[0-9]+")) {
                found++;
            }
        }
        return found;
    }

    /** How Spark writes checkpoints here: by the interface that can replace a file atomically, or by the other. */
    private String manager() {
        return CheckpointFileManager$.MODULE$
                .create(new Path(folder, "checkpoint"), hadoop())
                .getClass()
                .getSimpleName();
    }

    private Configuration hadoop() {
        return spark.sparkContext().hadoopConfiguration();
    }

    private StreamingQuery start(Trigger trigger) throws Exception {
        Dataset<String> lines = spark.readStream()
                .option("maxFilesPerTrigger", 1)
                .textFile(folder + "/in")
                .mapPartitions((MapPartitionsFunction<String, String>) StreamingJob::announced, Encoders.STRING());
        DataStreamWriter<Row> writer = lines.select(
                        split(col("value"), ",").getItem(0).cast("long").as("id"),
                        split(col("value"), ",").getItem(1).as("text"))
                .dropDuplicates("id")
                .writeStream()
                .format("parquet")
                .outputMode("append")
                .option("checkpointLocation", folder + "/checkpoint")
                .option("path", folder + "/out")
                .trigger(trigger);
        return writer.start();
    }

    /** Says when the first line is read, from within the task. */
    private static Iterator<String> announced(Iterator<String> lines) {
        if (lines.hasNext()) {
            System.err.println("progress: reading");
        }
        return lines;
    }

    /** Counts the batches that had input. */
    private static final class EachBatch extends StreamingQueryListener {
        private static final long serialVersionUID = 1;

        private final transient CountDownLatch done;

        EachBatch(CountDownLatch done) {
            this.done = done;
        }

        @Override
        public void onQueryStarted(QueryStartedEvent event) {
            System.err.println("progress: started");
        }

        @Override
        public void onQueryProgress(QueryProgressEvent event) {
            if (event.progress().numInputRows() > 0) {
                System.err.println("progress: done");
                done.countDown();
            }
        }

        @Override
        public void onQueryTerminated(QueryTerminatedEvent event) {
            System.err.println("progress: terminated");
        }
    }
}

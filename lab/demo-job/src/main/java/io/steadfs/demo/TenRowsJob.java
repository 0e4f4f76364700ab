package io.steadfs.demo;

import static org.apache.spark.sql.functions.sum;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Writes ten rows and reads them back, by both of Hadoop's interfaces: the least that shows that Spark found the file system.
 *
 * <p>Argument: the URI of a folder that is not there. Prints {@code name=value} lines.
 */
public final class TenRowsJob {
    private TenRowsJob() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            throw new IllegalArgumentException("wants 1 argument (folder), got " + args.length + ": " + List.of(args));
        }
        try (SparkSession spark = SparkSession.builder().appName("ten rows").getOrCreate()) {
            spark.range(10).coalesce(1).write().csv(args[0]);
            Dataset<Row> rows = spark.read().schema("id long").csv(args[0]);
            System.out.println("rows=" + rows.count());
            System.out.println("sum=" + rows.agg(sum("id")).first().getLong(0));
            Configuration hadoop = spark.sparkContext().hadoopConfiguration();
            FileContext context = FileContext.getFileContext(URI.create(args[0]), hadoop);
            System.out.println("context=" + context.util().exists(new Path(args[0], "_SUCCESS")));
        }
    }
}

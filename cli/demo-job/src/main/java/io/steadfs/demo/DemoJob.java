package io.steadfs.demo;

import java.io.IOException;
import org.apache.spark.sql.SparkSession;

/** The job that {@code spark-submit} runs against a SteadFS cluster. */
public final class DemoJob {
    private DemoJob() {}

    public static void main(String[] args) throws IOException {
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            System.out.println("Spark " + spark.version());
        }
    }
}

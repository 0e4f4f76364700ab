package io.steadfs.lab.demo;

/** A file that the Spark job made in the file system. */
record MadeFile(String path, long bytes) {}

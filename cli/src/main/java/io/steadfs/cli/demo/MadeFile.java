package io.steadfs.cli.demo;

/** A file that the demo left in the file system. */
record MadeFile(String path, long bytes) {}

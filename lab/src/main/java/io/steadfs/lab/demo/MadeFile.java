package io.steadfs.lab.demo;

/** A file that the demo left in the file system. */
record MadeFile(String path, long bytes) {}

package io.steadfs.lab.bench.figure;

import java.nio.file.Path;

/**
 * A place where the servers keep their data.
 *
 * @param name "memory" or "disk"
 * @param folder existing folder; everything that the benchmark makes in the folder is removed
 */
record Place(String name, Path folder) {}

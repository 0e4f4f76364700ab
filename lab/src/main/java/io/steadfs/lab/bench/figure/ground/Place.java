package io.steadfs.lab.bench.figure.ground;

import java.nio.file.Path;

/**
 * The place where the servers keep their data.
 *
 * @param name "memory" or "disk"
 * @param folder existing folder; the benchmark removes everything that it made in the folder
 */
public record Place(String name, Path folder) {}

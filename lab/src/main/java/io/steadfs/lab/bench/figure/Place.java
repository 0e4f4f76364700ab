package io.steadfs.lab.bench.figure;

import java.nio.file.Path;

/**
 * Where the servers keep their data.
 *
 * @param name "memory" or "disk"
 * @param folder that is there; what is made in it is removed
 */
record Place(String name, Path folder) {}

/**
 * {@code stead torture}: checks that whatever the file system acknowledged outlives every failure of its processes.
 *
 * <p>One process, the harness, starts all other processes. The harness kills and stops processes, fills their disks,
 * and passes every byte between the processes through a proxy of its own.
 *
 * <p>Client processes do random operations from a seed. Each client writes down the beginning and the answer of every
 * operation. At the end, the harness compares these histories with the file system.
 */
@NullMarked
package io.steadfs.lab.torture;

import org.jspecify.annotations.NullMarked;

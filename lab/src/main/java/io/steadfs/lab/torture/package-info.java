/**
 * Tests whether everything that the file system has acknowledged survives all faults of its processes. The command is
 * {@code stead torture}.
 *
 * <p>One process, the harness, starts, stops and kills all other processes, and fills their disks. Every byte between
 * the processes goes through a proxy in the harness. Client processes do random operations by a seed. Each client
 * process records its operations and the answers in a history. At the end, the harness compares all histories with the
 * file system.
 */
@NullMarked
package io.steadfs.lab.torture;

import org.jspecify.annotations.NullMarked;

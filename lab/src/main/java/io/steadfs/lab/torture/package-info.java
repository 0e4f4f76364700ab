/**
 * {@code stead torture}: does what the file system acknowledged outlive everything that may happen to its processes?
 *
 * <p>One process, the harness, starts all others, ends and stops them, fills their disks, and has every byte between
 * them go through a proxy of its own. Client processes do seeded random operations and write down what they began and
 * what they were told; at the end the harness compares these histories with the file system.
 */
@NullMarked
package io.steadfs.lab.torture;

import org.jspecify.annotations.NullMarked;

/** Decides when a round begins: all clients start at the same time, after the servers have become idle. */
@NullMarked
package io.steadfs.lab.bench.pace;

import org.jspecify.annotations.NullMarked;

/** {@code stead bench jobs}: what Spark's jobs ask servers for, and how much of it is hierarchical. */
@NullMarked
package io.steadfs.lab.bench.jobs;

import org.jspecify.annotations.NullMarked;

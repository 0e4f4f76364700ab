/** The same work through the Hadoop API on whatever file system. */
@NullMarked
package io.steadfs.lab.bench.compare.work;

import org.jspecify.annotations.NullMarked;

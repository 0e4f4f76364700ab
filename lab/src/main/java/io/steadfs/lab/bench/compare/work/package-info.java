/** The works of a comparison. Each work runs through the Hadoop API on any file system. */
@NullMarked
package io.steadfs.lab.bench.compare.work;

import org.jspecify.annotations.NullMarked;

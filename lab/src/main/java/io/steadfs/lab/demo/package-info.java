/** {@code stead demo}: a Spark job on a cluster of its own, its result checked. */
@NullMarked
package io.steadfs.lab.demo;

import org.jspecify.annotations.NullMarked;

/** Runs a Spark job on a new cluster and checks the result, for the command {@code stead demo}. */
@NullMarked
package io.steadfs.lab.demo;

import org.jspecify.annotations.NullMarked;

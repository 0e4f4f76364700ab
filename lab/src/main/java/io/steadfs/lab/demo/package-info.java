/** The command {@code stead demo}: runs a Spark job on a SteadFS cluster, and checks the job's result. */
@NullMarked
package io.steadfs.lab.demo;

import org.jspecify.annotations.NullMarked;

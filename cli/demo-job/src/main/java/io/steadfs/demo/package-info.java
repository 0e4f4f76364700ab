/** A Spark job that reads and writes SteadFS. */
@NullMarked
package io.steadfs.demo;

import org.jspecify.annotations.NullMarked;

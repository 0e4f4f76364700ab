/** Spark jobs that read and write SteadFS. */
@NullMarked
package io.steadfs.demo;

import org.jspecify.annotations.NullMarked;

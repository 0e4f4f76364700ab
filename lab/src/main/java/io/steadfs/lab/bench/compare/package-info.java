/** SteadFS beside another file system, or beside itself, in one run. */
@NullMarked
package io.steadfs.lab.bench.compare;

import org.jspecify.annotations.NullMarked;

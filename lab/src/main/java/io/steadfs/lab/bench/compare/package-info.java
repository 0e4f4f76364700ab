/** SteadFS beside another file system, beside itself, or beside another build of itself, in one run. */
@NullMarked
package io.steadfs.lab.bench.compare;

import org.jspecify.annotations.NullMarked;

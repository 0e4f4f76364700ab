/** A new client process and its first operations. */
@NullMarked
package io.steadfs.lab.bench.compare.cold;

import org.jspecify.annotations.NullMarked;

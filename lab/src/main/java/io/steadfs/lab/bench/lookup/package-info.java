/** {@code stead bench lookup}: how many messages an operation costs, at which depth and on how many shards. */
@NullMarked
package io.steadfs.lab.bench.lookup;

import org.jspecify.annotations.NullMarked;

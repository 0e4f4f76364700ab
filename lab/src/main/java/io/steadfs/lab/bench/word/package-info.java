/** Values of enums as users of commands write them. */
@NullMarked
package io.steadfs.lab.bench.word;

import org.jspecify.annotations.NullMarked;

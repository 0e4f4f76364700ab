/** Facts about the machine and the software of a measurement. */
@NullMarked
package io.steadfs.lab.bench.machine;

import org.jspecify.annotations.NullMarked;

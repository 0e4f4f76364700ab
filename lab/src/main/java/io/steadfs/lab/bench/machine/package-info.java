/** What measurements were made on and with. */
@NullMarked
package io.steadfs.lab.bench.machine;

import org.jspecify.annotations.NullMarked;

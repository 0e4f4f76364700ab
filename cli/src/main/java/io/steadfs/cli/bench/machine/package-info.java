/** What measurements were made on and with. */
@NullMarked
package io.steadfs.cli.bench.machine;

import org.jspecify.annotations.NullMarked;

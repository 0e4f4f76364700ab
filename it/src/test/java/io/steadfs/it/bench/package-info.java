/** Measurements, run briefly: what they say is not looked at, but that they run and say all of it. */
@NullMarked
package io.steadfs.it.bench;

import org.jspecify.annotations.NullMarked;

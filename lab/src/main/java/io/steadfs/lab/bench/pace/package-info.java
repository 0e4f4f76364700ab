/** Lets the clients of a benchmark begin together, and waits until servers are at rest. */
@NullMarked
package io.steadfs.lab.bench.pace;

import org.jspecify.annotations.NullMarked;

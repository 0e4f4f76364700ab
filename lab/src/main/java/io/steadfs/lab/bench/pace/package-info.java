/** When the clients of a benchmark begin, and when servers are at rest. */
@NullMarked
package io.steadfs.lab.bench.pace;

import org.jspecify.annotations.NullMarked;

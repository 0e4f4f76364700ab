/** Time behind an interface: real in a process, simulated in tests. */
@NullMarked
package io.steadfs.time;

import org.jspecify.annotations.NullMarked;

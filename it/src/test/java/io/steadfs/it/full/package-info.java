/** Servers on disks that are really full. */
@NullMarked
package io.steadfs.it.full;

import org.jspecify.annotations.NullMarked;

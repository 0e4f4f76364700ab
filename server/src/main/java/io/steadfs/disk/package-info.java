/** The disk under a server: how full it is, and how its failures are classified. Nothing here knows about file systems. */
@NullMarked
package io.steadfs.disk;

import org.jspecify.annotations.NullMarked;

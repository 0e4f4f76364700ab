/** A whole cluster in one thread: servers, clients, network, disks and time, and everything that goes wrong with them, from a seed. */
@NullMarked
package io.steadfs.it.simulation;

import org.jspecify.annotations.NullMarked;

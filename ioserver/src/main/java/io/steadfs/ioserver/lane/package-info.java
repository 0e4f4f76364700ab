/**
 * Lanes: single-threaded cores, each of which owns a share of the datafiles. This package knows datafiles, but no
 * requests.
 */
@NullMarked
package io.steadfs.ioserver.lane;

import org.jspecify.annotations.NullMarked;

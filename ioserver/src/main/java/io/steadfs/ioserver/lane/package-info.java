/** Single-threaded cores, each owning a share of the datafiles. This package knows datafiles, but no requests. */
@NullMarked
package io.steadfs.ioserver.lane;

import org.jspecify.annotations.NullMarked;

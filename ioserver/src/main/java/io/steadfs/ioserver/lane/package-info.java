/** Single-threaded cores, each owning a share of the datafiles. Spine: knows datafiles, and no request. */
@NullMarked
package io.steadfs.ioserver.lane;

import org.jspecify.annotations.NullMarked;

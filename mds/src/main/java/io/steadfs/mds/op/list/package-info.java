/** Queries for attributes, for pages of directories, trees and open files, and for sums over trees. */
@NullMarked
package io.steadfs.mds.op.list;

import org.jspecify.annotations.NullMarked;

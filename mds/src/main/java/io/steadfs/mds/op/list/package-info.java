/** Lookups and listings: attributes, pages of directories, trees and open files, and sums over trees. */
@NullMarked
package io.steadfs.mds.op.list;

import org.jspecify.annotations.NullMarked;

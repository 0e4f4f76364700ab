/** Maps that say which shard holds which names of a directory, by the method of Giga+. */
@NullMarked
package io.steadfs.partition;

import org.jspecify.annotations.NullMarked;

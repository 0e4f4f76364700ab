/** Damage of directories that are spread over several shards, and their repair. */
@NullMarked
package io.steadfs.it.maps;

import org.jspecify.annotations.NullMarked;

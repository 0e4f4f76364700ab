/** Offers SteadFS as a Hadoop file system. */
@NullMarked
package io.steadfs.hadoop;

import org.jspecify.annotations.NullMarked;

/** Tests of the adapter. */
@NullMarked
package io.steadfs.hadoop;

import org.jspecify.annotations.NullMarked;

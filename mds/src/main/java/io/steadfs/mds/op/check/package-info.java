/**
 * Queries by which a check of the file system reads a shard. The answers describe rows, contradictions between rows,
 * and keys whose rows cannot be read.
 */
@NullMarked
package io.steadfs.mds.op.check;

import org.jspecify.annotations.NullMarked;

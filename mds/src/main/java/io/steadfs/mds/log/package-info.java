/** Makes decided batches durable. */
@NullMarked
package io.steadfs.mds.log;

import org.jspecify.annotations.NullMarked;

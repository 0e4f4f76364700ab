/** The clients' door: who asks, by which way a kind of request goes, and replies that are given once. */
@NullMarked
package io.steadfs.mds.call;

import org.jspecify.annotations.NullMarked;

/**
 * A check of the whole file system while clients work with it. {@link io.steadfs.fsck.Check} runs its stages one by one.
 * {@link io.steadfs.fsck.Work} stores their results, so that a check that stopped early continues where it was.
 */
@NullMarked
package io.steadfs.fsck;

import org.jspecify.annotations.NullMarked;

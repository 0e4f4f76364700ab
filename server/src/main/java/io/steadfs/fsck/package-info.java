/**
 * A check of the whole file system while clients work with it: {@link io.steadfs.fsck.Check} runs its stages one by one, {@link
 * io.steadfs.fsck.Work} keeps what they come to, so that a check that ended early goes on where it was.
 */
@NullMarked
package io.steadfs.fsck;

import org.jspecify.annotations.NullMarked;

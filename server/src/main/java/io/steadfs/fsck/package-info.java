/**
 * Checks the whole file system while clients work with it, and repairs what the check finds. The class
 * {@link io.steadfs.fsck.Check} runs the stages of a check one by one. The class {@link io.steadfs.fsck.Work} stores
 * the results, so that an interrupted check continues where it stopped.
 */
@NullMarked
package io.steadfs.fsck;

import org.jspecify.annotations.NullMarked;

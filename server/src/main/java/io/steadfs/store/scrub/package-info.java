/** Reading a store whole, to find out whether it can be. */
@NullMarked
package io.steadfs.store.scrub;

import org.jspecify.annotations.NullMarked;

/** What tests of the metadata server share. */
@NullMarked
package io.steadfs.mds.testing;

import org.jspecify.annotations.NullMarked;

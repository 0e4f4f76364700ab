/** Tests of whole clusters, and of rules that span modules. */
@NullMarked
package io.steadfs.it;

import org.jspecify.annotations.NullMarked;

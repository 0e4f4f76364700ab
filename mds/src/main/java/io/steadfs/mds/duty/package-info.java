/**
 * What the server does by itself. A duty looks at committed state, then submits an ordinary command by the clients'
 * door; it changes nothing on its own. All of it that is kept in memory may be lost at any time.
 */
@NullMarked
package io.steadfs.mds.duty;

import org.jspecify.annotations.NullMarked;

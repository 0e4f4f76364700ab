/**
 * Sessions: the clients, the replies that they got, the files that they write, and the files that lost their writer.
 */
@NullMarked
package io.steadfs.mds.session;

import org.jspecify.annotations.NullMarked;

/** The web interface of a real cluster, as programs and as a browser meet it. */
@NullMarked
package io.steadfs.it.web;

import org.jspecify.annotations.NullMarked;

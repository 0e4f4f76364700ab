/** The web interface of a file system. */
@NullMarked
package io.steadfs.cli.web;

import org.jspecify.annotations.NullMarked;

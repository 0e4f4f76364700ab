/** The administrators' web interface: one server for REST and for the page. */
@NullMarked
package io.steadfs.webui;

import org.jspecify.annotations.NullMarked;

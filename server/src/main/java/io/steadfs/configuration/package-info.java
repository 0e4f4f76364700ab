/** Reads the configuration files of servers. A configuration file is a HOCON text whose keys have types and bounds. */
@NullMarked
package io.steadfs.configuration;

import org.jspecify.annotations.NullMarked;

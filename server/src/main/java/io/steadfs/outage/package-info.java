/** Logs outages of services, and long waits during a server's start. */
@NullMarked
package io.steadfs.outage;

import org.jspecify.annotations.NullMarked;

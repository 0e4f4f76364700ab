/** Shows the counters and the health of a server over HTTP: {@code /metrics} for Prometheus, and {@code /health}. */
@NullMarked
package io.steadfs.metrics;

import org.jspecify.annotations.NullMarked;

/** The counters of STATUS for Prometheus, and whether the server is healthy: {@code /metrics} and {@code /health} over HTTP. */
@NullMarked
package io.steadfs.metrics;

import org.jspecify.annotations.NullMarked;

/** What STATUS counts, for Prometheus, and whether the server is well: {@code /metrics} and {@code /health} over HTTP. */
@NullMarked
package io.steadfs.metrics;

import org.jspecify.annotations.NullMarked;

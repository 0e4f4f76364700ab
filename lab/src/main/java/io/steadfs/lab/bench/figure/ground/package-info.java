/** What all figures share: where they are measured, how their numbers are summed up and drawn. */
@NullMarked
package io.steadfs.lab.bench.figure.ground;

import org.jspecify.annotations.NullMarked;

/** The time to list one directory, depending on its number of entries: figure 8 of the SkyeFS paper. */
@NullMarked
package io.steadfs.lab.bench.figure.listing;

import org.jspecify.annotations.NullMarked;

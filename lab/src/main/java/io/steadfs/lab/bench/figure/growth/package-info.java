/** Creates in one directory over time, while the directory splits: figure 7 of the SkyeFS paper. */
@NullMarked
package io.steadfs.lab.bench.figure.growth;

import org.jspecify.annotations.NullMarked;

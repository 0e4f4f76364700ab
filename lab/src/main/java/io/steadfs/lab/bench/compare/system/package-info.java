/** The compared systems. Their servers run in processes of their own, and their Hadoop file systems in this process. */
@NullMarked
package io.steadfs.lab.bench.compare.system;

import org.jspecify.annotations.NullMarked;

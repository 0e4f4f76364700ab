/**
 * The compared systems. The servers of each system run in processes of their own. The Hadoop file system of each system
 * runs in this process.
 */
@NullMarked
package io.steadfs.lab.bench.compare.system;

import org.jspecify.annotations.NullMarked;

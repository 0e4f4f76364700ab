/** The systems that are compared: servers in processes of their own, and a Hadoop file system in this one. */
@NullMarked
package io.steadfs.lab.bench.compare.system;

import org.jspecify.annotations.NullMarked;

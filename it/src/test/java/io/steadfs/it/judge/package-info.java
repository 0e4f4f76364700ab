/** Random calls on a real HDFS and on SteadFS, whose answers are compared. */
@org.jspecify.annotations.NullMarked
package io.steadfs.it.judge;

/** JMH benchmarks: each class answers one question, named in its first line. */
@NullMarked
package io.steadfs.micro;

import org.jspecify.annotations.NullMarked;

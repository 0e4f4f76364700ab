/** Random operations on two file systems, one of them the reference, compared step by step. */
@NullMarked
package io.steadfs.it.model;

import org.jspecify.annotations.NullMarked;

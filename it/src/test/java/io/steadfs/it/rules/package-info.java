/**
 * The rules that a file system of Hadoop shares with POSIX, as tables, tried on directories whose names are spread over shards in
 * several ways.
 *
 * <p>{@link io.steadfs.it.rules.RuleBook} begins the tables and says how a row is read.
 */
@NullMarked
package io.steadfs.it.rules;

import org.jspecify.annotations.NullMarked;

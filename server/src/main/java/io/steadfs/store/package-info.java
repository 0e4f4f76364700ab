/**
 * Stores the durable tables of servers. Tests use a store in memory instead. This package knows nothing about files of
 * SteadFS.
 */
@NullMarked
package io.steadfs.store;

import org.jspecify.annotations.NullMarked;

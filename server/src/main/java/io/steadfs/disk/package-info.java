/**
 * The disk under a server: measures its free space, classifies its failures and makes its files durable. This package
 * knows nothing about files of SteadFS.
 */
@NullMarked
package io.steadfs.disk;

import org.jspecify.annotations.NullMarked;

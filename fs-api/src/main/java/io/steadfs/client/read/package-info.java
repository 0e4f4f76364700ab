/**
 * Reads files: fetches ranges from columns, compares bytes with checksums, and computes the checksum of a whole file.
 */
@NullMarked
package io.steadfs.client.read;

import org.jspecify.annotations.NullMarked;

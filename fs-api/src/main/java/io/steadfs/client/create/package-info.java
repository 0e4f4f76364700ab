/**
 * Files that are made: one class for each protocol of a create, what chooses between them, and the handles that they
 * take.
 */
@NullMarked
package io.steadfs.client.create;

import org.jspecify.annotations.NullMarked;

/** Tests of the pages of the repository as a whole: their links, the names in them, their examples. */
@NullMarked
package io.steadfs.it.pages;

import org.jspecify.annotations.NullMarked;

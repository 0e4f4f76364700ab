/** The pages of the repository, as tests read them. */
@NullMarked
package io.steadfs.pages;

import org.jspecify.annotations.NullMarked;

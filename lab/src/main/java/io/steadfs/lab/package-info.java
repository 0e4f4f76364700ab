/** What measures, tortures and shows SteadFS, as commands of {@code bin/stead}. Nothing that users run needs it. */
@NullMarked
package io.steadfs.lab;

import org.jspecify.annotations.NullMarked;

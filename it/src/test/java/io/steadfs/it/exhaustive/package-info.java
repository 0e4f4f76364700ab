/**
 * Small models of hard parts, of which every state is looked at. They are of rules, not of code; a lease is one of handles
 * here, not a writer's.
 */
@NullMarked
package io.steadfs.it.exhaustive;

import org.jspecify.annotations.NullMarked;

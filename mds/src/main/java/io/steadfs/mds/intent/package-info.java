/** Operations over several shards: intents at their coordinator, and what participants hold for them. */
@NullMarked
package io.steadfs.mds.intent;

import org.jspecify.annotations.NullMarked;

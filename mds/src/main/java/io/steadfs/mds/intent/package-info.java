/** Operations over several shards: intents at their coordinator, and the slots that participants hold. */
@NullMarked
package io.steadfs.mds.intent;

import org.jspecify.annotations.NullMarked;

/**
 * Operations on intents, which change several shards. A participant prepares and finishes its parts of an intent. The
 * coordinator decides and closes an intent, and answers the outcome.
 */
@NullMarked
package io.steadfs.mds.op.intent;

import org.jspecify.annotations.NullMarked;

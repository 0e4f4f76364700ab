package io.steadfs.mds.session;

import java.util.Optional;

/**
 * What became of metafiles that an ended session made without a name.
 *
 * @param removed number of metafiles that were removed
 * @param refusal why none was removed: another shard refused to say which of them have a name, or not all shards are known;
 *     empty if all shards said so
 */
public record UnlinkedRemoval(int removed, Optional<String> refusal) {}

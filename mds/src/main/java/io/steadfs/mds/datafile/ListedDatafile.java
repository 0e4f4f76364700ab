package io.steadfs.mds.datafile;

import io.steadfs.handle.Handle;

/**
 * A datafile that a metafile of this shard lists.
 *
 * @param index in the metafile's layout
 */
public record ListedDatafile(Handle datafile, Handle metafile, int index) {}

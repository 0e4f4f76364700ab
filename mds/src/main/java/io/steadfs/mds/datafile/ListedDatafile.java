package io.steadfs.mds.datafile;

import io.steadfs.handle.Handle;

/**
 * A datafile that a metafile of this shard lists.
 *
 * @param index position of the datafile in the metafile's layout, from 0
 */
public record ListedDatafile(Handle datafile, Handle metafile, int index) {}

package io.steadfs.fsck;

import io.steadfs.handle.Handle;

/**
 * Something that is wrong, and was so at one moment at least while the check looked at it.
 *
 * @param datafile which IO server it concerns is in its handle
 * @param metafile that it is about; {@link Handle#NONE} where there is none
 * @param what in words
 */
public record Finding(FindingKind kind, Handle datafile, Handle metafile, String what) {}

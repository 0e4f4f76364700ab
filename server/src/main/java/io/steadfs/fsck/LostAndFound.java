package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import java.io.IOException;

/** The directory for objects that no name leads to. It is made when the first such object is repaired. */
public interface LostAndFound {
    /** @throws IOException if it is not there and cannot be made */
    Handle directory() throws IOException;
}

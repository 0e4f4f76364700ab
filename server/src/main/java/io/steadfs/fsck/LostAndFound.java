package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import java.io.IOException;

/** Where objects go that no name leads to: a directory that is made when the first of them is found. */
public interface LostAndFound {
    /** @throws IOException if it is not there and cannot be made */
    Handle directory() throws IOException;
}

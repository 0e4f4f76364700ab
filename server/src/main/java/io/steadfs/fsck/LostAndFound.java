package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import java.io.IOException;

/**
 * The directory where a repair gives names to objects that have no name. The first repair that needs the directory
 * makes it.
 */
public interface LostAndFound {
    /** Makes the directory if it does not exist. @throws IOException if the directory cannot be used or made */
    Handle directory() throws IOException;
}

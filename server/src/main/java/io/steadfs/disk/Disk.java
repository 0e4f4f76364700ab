package io.steadfs.disk;

import java.io.IOException;

/** The disk under a server's directory: a seam. Thread-safe. */
public interface Disk {
    /** Bytes of the disk, used or not. */
    long capacityBytes() throws IOException;

    /** Bytes that may still be written. */
    long freeBytes() throws IOException;

    /** The directory, for messages to the operator. */
    String place();
}

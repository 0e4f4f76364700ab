package io.steadfs.disk;

import java.io.IOException;

/** The disk under a server's directory. Tests replace the disk by a simulated one. Thread-safe. */
public interface Disk {
    /** The size of the disk in bytes. */
    long capacityBytes() throws IOException;

    /** The number of bytes that may still be written. */
    long freeBytes() throws IOException;

    /** The server's directory, as messages to the operator name it. */
    String place();
}

package io.steadfs.fsck;

import java.io.IOException;

/** A part of a check. It continues where an earlier run of it stopped. */
interface Stage {
    /** The same name in every run. */
    String name();

    /** @throws IOException if a server does not answer, or the check was cancelled; the results until then are kept */
    void run(Work work, Pace pace) throws IOException;
}

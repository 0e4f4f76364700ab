package io.steadfs.fsck;

import java.io.IOException;

/** A part of a check, which goes on where an earlier run of it was. */
interface Stage {
    /** The same in every run. */
    String name();

    /** @throws IOException if a server does not answer, or the check was ended; what it came to until then is kept */
    void run(Work work, Pace pace) throws IOException;
}

package io.steadfs.fsck;

import java.io.IOException;

/** A part of a check. A stage continues where an earlier run of the same stage stopped. */
interface Stage {
    /** The stage's name, under which the work stores its progress. A stage has the same name in every run. */
    String name();

    /**
     * Runs the stage to its end. If the stage fails, the work keeps all results so far.
     *
     * @throws IOException if a server does not answer, or the check was cancelled
     */
    void run(Work work, Pace pace) throws IOException;
}

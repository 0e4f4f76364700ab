package io.steadfs.it.race;

import io.steadfs.client.SteadFs;
import java.io.IOException;

/** What one of the two clients does. */
interface Attempt {
    /** @param client 0 or 1 */
    void by(SteadFs fs, int client) throws IOException;
}

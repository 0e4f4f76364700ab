package io.steadfs.it.race;

import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.Map;

/** Makes the rounds of one kind of race; called from several threads. */
interface Contest {
    Round prepare(int number) throws IOException;

    /** One round, prepared. */
    interface Round extends Attempt {
        /**
         * Checks what became of it.
         *
         * @return all that this round must have left, by path
         */
        Map<FsPath, Handle> end(Outcome outcome) throws IOException;
    }

    /** The check of a round. */
    interface End {
        Map<FsPath, Handle> of(Outcome outcome) throws IOException;
    }

    static Round round(Attempt attempt, End end) {
        return new Round() {
            @Override
            public void by(io.steadfs.client.SteadFs fs, int client) throws IOException {
                attempt.by(fs, client);
            }

            @Override
            public Map<FsPath, Handle> end(Outcome outcome) throws IOException {
                return end.of(outcome);
            }
        };
    }
}

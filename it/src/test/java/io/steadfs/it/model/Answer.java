package io.steadfs.it.model;

import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * What an operation answered, as text that two file systems can agree on: no handles, no clock readings. A refusal is
 * {@code refused CODE}; its message is for people and not compared.
 *
 * @param text compared
 * @param thrown for the report of a difference
 */
public record Answer(String text, Optional<Throwable> thrown) {
    private static final String REFUSED = "refused ";

    static Answer of(ModelOperation operation, Participant participant) {
        try {
            return new Answer(operation.run(participant), Optional.empty());
        } catch (LinkException e) {
            String link = REFUSED + e.error() + " to " + e.target() + ", then " + e.rest() + ", " + e.isOfTarget();
            return new Answer(link, Optional.of(e));
        } catch (FsException e) {
            return new Answer(REFUSED + e.error(), Optional.of(e));
        } catch (UncheckedIOException e) {
            String text = e.getCause() instanceof FsException refusal ? REFUSED + refusal.error() : e.toString();
            return new Answer(text, Optional.of(e));
        } catch (IOException | RuntimeException e) {
            return new Answer(e.toString(), Optional.of(e));
        }
    }

    boolean isRefusal() {
        return text.startsWith(REFUSED);
    }

    @Override
    public String toString() {
        return text + thrown.map(e -> " (" + e.getMessage() + ")").orElse("");
    }
}

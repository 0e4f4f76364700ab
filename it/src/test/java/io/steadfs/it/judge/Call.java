package io.steadfs.it.judge;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One call that can be made on either side.
 *
 * @param name of the method; of FileContext with "fc." before
 * @param arguments for people; those that are paths are looked for in messages of exceptions
 */
record Call(String name, List<Object> arguments, Action action) {
    /** The call itself; what it returns is described, or nothing. */
    interface Action {
        @Nullable
        Object on(Actor actor) throws Exception;
    }

    List<OddPath> paths() {
        return arguments.stream()
                .filter(OddPath.class::isInstance)
                .map(OddPath.class::cast)
                .toList();
    }

    @Override
    public String toString() {
        return name + arguments.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ")"));
    }
}

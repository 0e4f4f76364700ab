package io.steadfs.cli;

import java.util.List;

/**
 * Commands of {@code bin/stead} that are in other modules. Whoever has some names a class of this kind, which needs a
 * constructor without arguments, in {@code META-INF/services/io.steadfs.cli.MoreCommands} of its jar.
 */
public interface MoreCommands {
    /**
     * Adds them.
     *
     * @param commands classes with picocli's annotation {@code @Command}, in the order of the help; those of this module are
     *     in it, and a class may be put anywhere between them
     */
    void addTo(List<Class<?>> commands);
}

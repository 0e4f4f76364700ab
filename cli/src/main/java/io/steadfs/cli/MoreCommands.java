package io.steadfs.cli;

import java.util.List;

/**
 * Commands of {@code bin/stead} that are in other modules. A module with such commands has a class of this kind, with a constructor without
 * arguments. The module's jar names the class in {@code META-INF/services/io.steadfs.cli.MoreCommands}.
 */
public interface MoreCommands {
    /**
     * Adds the commands.
     *
     * @param commands classes with picocli's annotation {@code @Command}, in the order of the help. The commands of this module are in it
     *     already; a class may be put anywhere between them
     */
    void addTo(List<Class<?>> commands);
}

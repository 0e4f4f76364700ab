package io.steadfs.cli;

import java.util.List;

/**
 * Adds commands of other modules to {@code bin/stead}. A module that has commands implements this interface in one
 * class. The class needs a constructor without arguments. The module's jar names the class in
 * {@code META-INF/services/io.steadfs.cli.MoreCommands}.
 */
public interface MoreCommands {
    /**
     * Adds the commands of a module.
     *
     * @param commands classes with picocli's annotation {@code @Command}, in the order in which the help lists the
     * commands. The list already contains the commands of this module. A new class may be inserted anywhere.
     */
    void addTo(List<Class<?>> commands);
}

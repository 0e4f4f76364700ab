package io.steadfs.lab;

import io.steadfs.cli.MoreCommands;
import io.steadfs.cli.web.WebUiCommand;
import io.steadfs.lab.bench.BenchCommand;
import io.steadfs.lab.demo.DemoCommand;
import io.steadfs.lab.torture.TortureCommand;
import java.util.List;

/**
 * Adds the commands of this module to {@code stead}. The demo comes first in the help, because new users begin with the
 * demo.
 */
public final class LabCommands implements MoreCommands {
    @Override
    public void addTo(List<Class<?>> commands) {
        commands.add(0, DemoCommand.class);
        commands.addAll(commands.indexOf(WebUiCommand.class) + 1, List.of(BenchCommand.class, TortureCommand.class));
    }
}

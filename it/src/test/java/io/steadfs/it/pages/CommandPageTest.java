package io.steadfs.it.pages;

import io.steadfs.cli.Main;
import io.steadfs.pages.Page;
import io.steadfs.pages.Rows;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each command of {@code bin/stead} has its row in docs/command-line.md. Those of {@code bench} have one each. */
class CommandPageTest {
    private static final String BENCH = "bench";

    @Test
    void eachCommandHasItsRow() {
        List<String> commands = new ArrayList<>();
        Main.commandLine().getSubcommands().forEach((name, command) -> {
            if (name.equals(BENCH)) {
                command.getSubcommands().keySet().forEach(each -> commands.add(BENCH + " " + each));
            } else {
                commands.add(name);
            }
        });
        Page page = Page.of("docs/command-line.md");
        Rows.match(
                "docs/command-line.md, first table",
                commands,
                page.table("command", "does").codes("command"));
    }
}

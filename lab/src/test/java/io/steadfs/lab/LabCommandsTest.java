package io.steadfs.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cli.Main;
import org.junit.jupiter.api.Test;

class LabCommandsTest {
    @Test
    void helpHasAllCommandsInOrder() {
        assertThat(Main.commandLine().getSubcommands().keySet())
                .containsExactly(
                        "demo",
                        "local",
                        "fs",
                        "status",
                        "timeline",
                        "leases",
                        "open-files",
                        "partitions",
                        "fsck",
                        "salvage",
                        "webui",
                        "bench",
                        "torture",
                        "format",
                        "membership",
                        "admin",
                        "mds",
                        "ioserver",
                        "zookeeper",
                        "class-archive");
    }
}

package io.steadfs.cli.salvage;

import io.steadfs.cli.report.Printable;
import io.steadfs.config.Settings;
import io.steadfs.disk.ReplacedFile;
import io.steadfs.ioserver.datafile.DatafileFormat;
import io.steadfs.ioserver.datafile.DatafileSalvage;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.mds.salvage.ShardSalvage;
import io.steadfs.mds.state.DiskFormat;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.membership.DataDirectory;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.Unsettled;
import io.steadfs.store.format.FormatSteps;
import io.steadfs.store.mark.StoreMark;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.store.rocks.SalvageReport;
import io.steadfs.store.rocks.StoreSalvage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Saves all readable data in the stores of a server that is not running. */
@Command(
        name = "salvage",
        mixinStandardHelpOptions = true,
        description = {
            "Rewrite all that can be read of the damaged stores in the data directory of a stopped server into new ones, and list what",
            "cannot. The old ones are kept beside them. Then start the server and run fsck --scrub --repair, which finds what does not fit",
            "together any more. Run it again if it was interrupted. It needs as much free space as the stores have bytes."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:nothing was damaged, or all that can be read is in a new store; the output says which",
            "1:not done; the last line says why, and the stores are as they were",
            "2:wrong usage"
        })
public final class SalvageCommand implements Callable<Integer> {
    private static final String STORE = "store";
    private static final String SHARD = "shard-[0-9]+";

    @Parameters(paramLabel = "DIRECTORY", description = "data directory of a metadata server or an IO server")
    private Path directory = Path.of("");

    @Option(
            names = "--settled",
            description = {
                "salvage nothing: the server may again remove what its stores do not know, as if a check of the whole file system had found",
                "nothing; such a check ends that by itself, this is for where none can"
            })
    private boolean settled;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** A kind of store: its tables and formats, and the way in which a salvage repairs the rows of the tables. */
    private record Kind(List<Table> tables, Table facts, FormatSteps formats, StoreSalvage.Fixing fixing) {
        private static final Kind SHARD =
                new Kind(ShardTables.ALL, ShardTables.META, DiskFormat.STEPS, ShardSalvage::fix);
        private static final Kind IO_SERVER = new Kind(
                DatafileTables.ALL,
                DatafileTables.META,
                DatafileFormat.STEPS,
                (rows, report) -> DatafileSalvage.tellPlaces(report));

        RocksStore open(Path store) throws IOException {
            return equals(SHARD)
                    ? RocksStore.openShard(store, tables, Settings.defaults(), 0)
                    : RocksStore.openGrouped(store, tables, Settings.defaults(), StoreMark.inLog());
        }

        static Kind of(Path store) {
            return store.getFileName().toString().equals(STORE) ? IO_SERVER : SHARD;
        }
    }

    @Override
    public Integer call() throws IOException {
        List<Path> stores = stores();
        if (stores.isEmpty()) {
            throw new IOException(
                    directory + " is no data directory of a server: it has neither " + STORE + " nor shard-0");
        }
        try (DataDirectory held = DataDirectory.open(directory)) {
            for (Path store : stores) {
                if (settled) {
                    settle(store);
                } else {
                    salvage(store, held);
                }
            }
        }
        return 0;
    }

    private List<Path> stores() throws IOException {
        TreeSet<String> names = new TreeSet<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> all = Files.list(directory)) {
                all.map(each -> each.getFileName().toString().replaceFirst("\\.salvage$", ""))
                        .filter(name -> name.equals(STORE) || name.matches(SHARD))
                        .forEach(names::add);
            }
        }
        List<Path> stores = new ArrayList<>();
        names.forEach(name -> stores.add(directory.resolve(name)));
        return stores;
    }

    private void salvage(Path store, DataDirectory held) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Kind kind = Kind.of(store);
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        Optional<Path> damaged = StoreSalvage.run(
                store,
                kind.tables(),
                Settings.defaults(),
                (rows, report) -> {
                    kind.formats().check(rows, store.toString());
                    kind.fixing().fix(rows, report);
                    if (kind.formats().numberIfNone(rows, rows)) {
                        report.note("the row with the disk format is lost: format "
                                + kind.formats().newest() + ", the one of this release, is taken for it");
                    }
                    Unsettled.mark(rows, kind.facts(), Unsettled.SALVAGED + now);
                    // This command reports the lost data. So the next start of the server must not refuse the store
                    // because its state is old.
                    StoreMark.remove(rows, kind.facts());
                },
                report -> tell(store, held, now, report));
        out.println(
                damaged.isEmpty()
                        ? store + ": nothing is damaged; it stays as it is"
                        : store + ": has all that can be read; the damaged one is kept in " + damaged.get());
        out.flush();
    }

    /** Prints the report. The method also stores the report in a file, because the printed output may get lost. */
    private void tell(Path store, DataDirectory held, String now, SalvageReport report) throws IOException {
        String text = report.text(Printable::of);
        if (!report.isSound()) {
            String name = "salvage-" + store.getFileName() + "-" + now.replace(":", "") + ".txt";
            ReplacedFile.write(held.path(), name, text.getBytes(StandardCharsets.UTF_8));
        }
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
    }

    private void settle(Path store) throws IOException {
        Kind kind = Kind.of(store);
        PrintWriter out = spec.commandLine().getOut();
        try (Store open = kind.open(store);
                Overlay rows = open.overlay()) {
            kind.formats().check(rows, store.toString());
            Optional<String> why = Unsettled.of(rows, kind.facts());
            Unsettled.settle(rows, kind.facts());
            open.commit(rows, true);
            out.println(store + ": " + why.map(each -> each + ", is settled").orElse("was not salvaged"));
            out.flush();
        }
    }
}

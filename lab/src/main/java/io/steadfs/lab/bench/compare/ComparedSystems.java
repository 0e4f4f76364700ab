package io.steadfs.lab.bench.compare;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.local.JavaCommand;
import io.steadfs.lab.bench.compare.system.ClusterSize;
import io.steadfs.lab.bench.compare.system.Contender;
import io.steadfs.lab.bench.compare.system.HdfsContender;
import io.steadfs.lab.bench.compare.system.SteadContender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The two systems that a user wants to compare. Each may be started several times, one start after the other, and then
 * has the files of the earlier starts.
 *
 * @param home folder of this program
 * @param folder folder for the data of all servers
 * @param size size of each SteadFS
 * @param homes the two builds; empty if all sides are of this build
 * @param same whether the second system is SteadFS of this build
 * @param settings configuration values of the first SteadFS
 * @param settingsBeside configuration values of the second SteadFS, if there is one
 * @param clientJar client jar of this build, for clients in processes of their own; empty if there are none
 * @param hdfs options of HDFS, if it is the second system
 */
record ComparedSystems(
        Path home,
        Path folder,
        ClusterSize size,
        Optional<Homes> homes,
        boolean same,
        Map<String, String> settings,
        Map<String, String> settingsBeside,
        Optional<Path> clientJar,
        HdfsContender.Options hdfs) {
    private static final String HDFS_JARS = "it/hdfs/target/jars";

    boolean isHdfs() {
        return !same && homes.isEmpty();
    }

    /** @throws IOException if the servers do not start; the message gives the reason */
    Contender first(Cleanup cleanup) throws IOException, InterruptedException {
        return homes.isPresent()
                ? homes.get().first(folder, size, settings, cleanup)
                : stead("SteadFS", settings, cleanup);
    }

    /** @throws IOException if the servers do not start; the message gives the reason */
    Contender second(Cleanup cleanup) throws IOException, InterruptedException {
        if (homes.isPresent()) {
            return homes.get().second(folder, size, settingsBeside, cleanup);
        }
        if (same) {
            return stead("another SteadFS", settingsBeside, cleanup);
        }
        Path jars = home.resolve(HDFS_JARS);
        if (!Files.isDirectory(jars)) {
            throw new IOException("HDFS's jars are not in " + jars + "; build with bin/stead bench compare");
        }
        return new HdfsContender(jars, folder.resolve("hdfs"), size.dataServers(), hdfs, cleanup);
    }

    private Contender stead(String name, Map<String, String> values, Cleanup cleanup) throws IOException {
        return new SteadContender(name, folder.resolve(name.replace(' ', '-')), size, values, clientJar, cleanup);
    }

    /** What reports say of the systems, by name of the fact. */
    Map<String, String> facts(SystemFacts first, SystemFacts second) {
        Map<String, String> facts = new LinkedHashMap<>();
        homes.ifPresent(both -> {
            facts.put(
                    first.name() + " is",
                    first.side().title() + " of " + both.first().path());
            facts.put(
                    second.name() + " is",
                    second.side().title() + " of " + both.second().path());
        });
        facts.put("servers of " + first.name(), size.text() + ", one copy");
        facts.put(
                "servers of " + second.name(),
                (isHdfs() ? "1 for metadata, " + size.dataServers() + " for data" : size.text()) + ", one copy");
        facts.put(
                "durability",
                hdfs.closeSync()
                        ? "names are durable when acknowledged, bytes when a file is closed"
                        : "names are durable when acknowledged; bytes of closed files are not");
        facts.put("Java's options of each server", String.join(" ", JavaCommand.options()));
        facts.put("archive of classes", JavaCommand.hasArchive() ? "SteadFS's servers start from one" : "none");
        clientJar.ifPresent(
                jar -> facts.put("clients of SteadFS", "have " + jar.getFileName() + " first on their class path"));
        facts.put(first.name() + " has", first.settings().toString());
        facts.put(
                second.name() + " has",
                second.settings() + (isHdfs() ? ", no native library of Hadoop, log level WARN" : ""));
        return facts;
    }
}

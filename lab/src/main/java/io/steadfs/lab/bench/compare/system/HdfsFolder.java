package io.steadfs.lab.bench.compare.system;

import io.steadfs.cli.local.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * The folder that holds all data of the HDFS servers:
 *
 * <pre>
 * FOLDER/conf/              configuration and logging of the servers, and empty folders for web pages
 * FOLDER/name/              the NameNode's image and edits
 * FOLDER/datanode-1/ ...    the DataNode's blocks
 * FOLDER/log/namenode.log   the server's output
 * </pre>
 */
record HdfsFolder(Path path, URI uri) {
    private static final String HOST = "127.0.0.1";
    private static final String ANY = HOST + ":0";

    static HdfsFolder make(Path path, Map<String, String> settings) throws IOException {
        int port = FreePorts.ofLoopback().next();
        HdfsFolder folder = new HdfsFolder(path, URI.create("hdfs://" + HOST + ":" + port));
        folder.write(settings);
        return folder;
    }

    /** Whether the NameNode has a file system in this folder. */
    boolean isFormatted() {
        return Files.exists(name().resolve("current/VERSION"));
    }

    private Path name() {
        return path.resolve("name");
    }

    Path conf() {
        return path.resolve("conf");
    }

    Path log(String server) {
        return path.resolve("log").resolve(server + ".log");
    }

    Path dataNode(String name) {
        return path.resolve(name);
    }

    Map<String, String> ofDataNode(String name) {
        return Map.of("dfs.datanode.data.dir", dataNode(name).toUri().toString());
    }

    private void write(Map<String, String> settings) throws IOException {
        for (String page : new String[] {"hdfs", "datanode", "static"}) {
            Files.createDirectories(conf().resolve("webapps").resolve(page));
        }
        Files.createDirectories(path.resolve("log"));
        write(
                "core-site.xml",
                Map.of(
                        "fs.defaultFS",
                        uri.toString(),
                        "hadoop.tmp.dir",
                        path.resolve("tmp").toString()));
        Map<String, String> all = new TreeMap<>(settings);
        all.put("dfs.namenode.name.dir", name().toUri().toString());
        all.put("dfs.namenode.http-address", ANY);
        all.put("dfs.datanode.address", ANY);
        all.put("dfs.datanode.http.address", ANY);
        all.put("dfs.datanode.ipc.address", ANY);
        write("hdfs-site.xml", all);
        Files.writeString(conf().resolve("log4j.properties"), """
                log4j.rootLogger=WARN,stderr
                log4j.appender.stderr=org.apache.log4j.ConsoleAppender
                log4j.appender.stderr.target=System.err
                log4j.appender.stderr.layout=org.apache.log4j.PatternLayout
                log4j.appender.stderr.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
                """);
    }

    private void write(String name, Map<String, String> values) throws IOException {
        Configuration written = new Configuration(false);
        values.forEach(written::set);
        try (OutputStream out = Files.newOutputStream(conf().resolve(name))) {
            written.writeXml(out);
        }
    }
}

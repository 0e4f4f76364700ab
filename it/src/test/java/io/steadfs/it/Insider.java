package io.steadfs.it;

import io.steadfs.error.FsException;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerName;
import io.steadfs.secret.SecretFile;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A test that says HELLO as a server of the cluster, whose secret it reads. */
public final class Insider {
    private static final int NUMBER = 99;

    private Insider() {}

    public static Introduction of(Cluster cluster) throws IOException {
        return of(fileSystem(cluster), cluster.local().directory());
    }

    /** @param directory of the local cluster */
    public static Introduction of(String fileSystem, Path directory) throws IOException {
        return Introduction.server(
                new PeerName(fileSystem, ClusterMap.Role.MDS, NUMBER),
                SecretFile.open(directory.resolve("cluster.secret")));
    }

    private static String fileSystem(Cluster cluster) throws FsException {
        try (var fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            return fs.clusterMap().getFileSystem();
        }
    }
}

package io.steadfs.it.shards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The directories of stores below the directory of a cluster. */
final class StoresOf {
    private StoresOf() {}

    /** All stores and parts of stores, such as {@code mds-1/shard-0}, in their order. */
    static List<String> cluster(Path directory) throws IOException {
        List<String> stores = new ArrayList<>();
        try (Stream<Path> servers = Files.list(directory)) {
            for (Path server : servers.filter(StoresOf::isMetadataServer).toList()) {
                try (Stream<Path> inside = Files.list(server)) {
                    inside.filter(StoresOf::isStore)
                            .forEach(store -> stores.add(server.getFileName() + "/" + store.getFileName()));
                }
            }
        }
        return stores.stream().sorted().toList();
    }

    private static boolean isMetadataServer(Path directory) {
        return directory.getFileName().toString().matches("mds-[0-9]+");
    }

    private static boolean isStore(Path directory) {
        return directory.getFileName().toString().matches("(shard|moving|arriving|arrived)-[0-9]+");
    }
}

package io.steadfs.store.rocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where the records of the newest write-ahead log of a store end, for tests that cut it there. */
public final class WalEnds {
    private WalEnds() {}

    /** The newest log that has anything. */
    public static Path newest(Path store) throws IOException {
        return LogRoom.logs(store).stream()
                .filter(file -> file.toFile().length() > 0)
                .findFirst()
                .orElseThrow();
    }

    /** Lengths to which the log can be cut so that it looks whole, 0 and its own among them, rising. */
    public static List<Long> of(Path log) throws IOException {
        byte[] file = Files.readAllBytes(log);
        List<byte[]> records = new ArrayList<>();
        if (!LogFile.read(file, records::add).isEmpty()) {
            throw new IOException(log + " is damaged");
        }
        List<Long> ends = new ArrayList<>(List.of(0L));
        long at = 0;
        for (byte[] record : records) {
            at += LogFile.appended(at, record).length;
            ends.add(at);
        }
        if (at != file.length) {
            throw new IOException(log + " has " + file.length + " bytes, its records " + at + ": "
                    + Arrays.toString(Arrays.copyOf(file, 16)));
        }
        return ends;
    }
}

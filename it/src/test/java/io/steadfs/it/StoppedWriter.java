package io.steadfs.it;

import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.config.Settings;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A client in a process of its own. Writes a first part and says {@code FLUSHED} when readers can see it; for each line
 * that it reads then, writes more and says {@code WRITTEN}, or {@code REFUSED} and why; at the end it closes and says
 * {@code CLOSED}, or {@code REFUSED} and why.
 */
final class StoppedWriter {
    static final int STRIP = 64 << 10;
    static final int FIRST_BYTES = 3 * STRIP + 11;
    static final int MORE_BYTES = 2 * STRIP;
    static final byte FIRST = 1;
    static final byte MORE = 2;

    private StoppedWriter() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        SteadFs fs = SteadClient.connect(
                Settings.defaults(), List.of(ServerAddress.parse(arguments[0])), LocalProcess.caller());
        FileWriter writer = fs.create(FsPath.parse(arguments[1]), CreateOptions.DEFAULT.withLayout(2, STRIP));
        write(writer, FIRST, FIRST_BYTES);
        writer.hflush();
        System.out.println("FLUSHED");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                write(writer, MORE, MORE_BYTES);
                writer.hflush();
                System.out.println("WRITTEN");
            } catch (IOException e) {
                System.out.println("REFUSED " + e.getMessage());
            }
        }
        try {
            writer.close();
            System.out.println("CLOSED");
        } catch (IOException e) {
            System.out.println("REFUSED " + e.getMessage());
        }
        fs.close();
    }

    private static void write(FileWriter writer, byte value, int count) throws IOException {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, value);
        writer.write(bytes, 0, count);
    }
}

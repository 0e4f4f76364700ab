package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.list.FileInfo;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.layout.Striping;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.BlockLocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockPlacesTest {
    private static final int STRIP = 100;
    private static final BlockPlaces PLACES = new BlockPlaces(clusterOf(3));

    /** Servers i1, i2, i3, each with one column; strips of 100 bytes. */
    private static ClusterMap clusterOf(int servers) {
        ClusterMap.Builder map = ClusterMap.newBuilder();
        for (int id = 1; id <= servers; id++) {
            map.addServers(ClusterMap.Server.newBuilder()
                    .setRole(ClusterMap.Role.IO)
                    .setId(id)
                    .setHost("i" + id)
                    .setPort(9));
        }
        // A metadata server may have the number of an IO server.
        map.addServers(ClusterMap.Server.newBuilder()
                .setRole(ClusterMap.Role.MDS)
                .setId(1)
                .setHost("m1")
                .setPort(9));
        return map.build();
    }

    private static FileInfo file(long length, int width, long blockSize) {
        List<Integer> servers = IntStream.rangeClosed(1, width).boxed().toList();
        List<Handle> datafiles =
                servers.stream().map(server -> Handle.of(server, 0, 5)).toList();
        Layout layout = new Layout(new Striping(STRIP, width), 1, servers, datafiles, 1);
        return new FileInfo(
                Handle.of(0x8000, 0, 9),
                false,
                0644,
                "u",
                "g",
                length,
                length,
                0,
                0,
                blockSize,
                1,
                false,
                1,
                1,
                Optional.of(layout),
                Optional.empty());
    }

    /** Blocks as offset+length@hosts. */
    private static String shown(BlockLocation[] blocks) throws IOException {
        List<String> shown = new ArrayList<>();
        for (BlockLocation block : blocks) {
            shown.add(block.getOffset() + "+" + block.getLength() + "@" + String.join("/", block.getHosts()));
        }
        return String.join(" ", shown);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            # length | width | block | start | bytes | blocks
            1000     | 1     | 400   | 0     | 1000  | 0+400@i1 400+400@i1 800+200@i1
            # As many hosts as copies; equal ones in turn.
            1000     | 3     | 300   | 0     | 300   | 0+300@i1
            1000     | 3     | 300   | 299   | 1     | 0+300@i1
            1000     | 3     | 300   | 299   | 2     | 0+300@i1 300+300@i2
            1000     | 3     | 300   | 0     | 1000  | 0+300@i1 300+300@i2 600+300@i3 900+100@i1
            1000     | 3     | 300   | 900   | 500   | 900+100@i1
            250      | 3     | 300   | 0     | 250   | 0+250@i1
            # Those with most bytes: strip 1 is whole, strips 0 and 2 are cut.
            1000     | 3     | 150   | 150   | 1     | 150+150@i3
            1000     | 3     | 70    | 70    | 1     | 70+70@i2
            1000     | 3     | 100   | 1000  | 1     | none
            1000     | 3     | 100   | 0     | 0     | none
            0        | 3     | 100   | 0     | 10    | none
            # Whoever says nothing of blocks gets one.
            1000     | 2     | 0     | 0     | 9999  | 0+1000@i1
            """)
    void blocks(long length, int width, long blockSize, long start, long bytes, String expected) throws IOException {
        assertThat(shown(PLACES.of(file(length, width, blockSize), start, bytes)))
                .isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @CsvSource({"65536, 1, 65536", "65537, 2, 32769", "3000000, 46, 65218"})
    void aFileHasABoundedNumberOfBlocks(long length, long told, int count) throws IOException {
        BlockLocation[] blocks = PLACES.of(file(length, 3, 1), 0, length);
        assertThat(blocks).hasSize(count);
        assertThat(blocks[0].getLength()).isEqualTo(told);
        long end = 0;
        for (BlockLocation block : blocks) {
            assertThat(block.getOffset()).isEqualTo(end);
            end += block.getLength();
        }
        assertThat(end).isEqualTo(length);
        assertThat(PLACES.of(file(length, 3, 1), length - 1, 1)[0].getOffset())
                .as("the same blocks, whatever range is asked for")
                .isEqualTo(blocks[count - 1].getOffset());
    }

    @ParameterizedTest
    @CsvSource({"/rack-7, /rack-7/i1:9", "'', /default-rack/i1:9"})
    void racks(String rack, String expected) throws IOException {
        BlockPlaces places = new BlockPlaces(ClusterMap.newBuilder()
                .addServers(ClusterMap.Server.newBuilder()
                        .setRole(ClusterMap.Role.IO)
                        .setId(1)
                        .setHost("i1")
                        .setPort(9)
                        .setRack(rack))
                .build());
        BlockLocation block = places.of(file(10, 1, 100), 0, 10)[0];
        assertThat(block.getTopologyPaths()).containsExactly(expected);
        assertThat(block.getNames()).containsExactly("i1:9");
    }
}

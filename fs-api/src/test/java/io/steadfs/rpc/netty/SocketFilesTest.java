package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.channel.epoll.Epoll;
import io.steadfs.config.ConfigException;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.hello.TestHello;
import io.steadfs.recent.RecentMessage;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.StatReply;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When connections go by socket files, and when by TCP. {@link NettyRpcTest} has what calls do on either way. */
@Timeout(60)
class SocketFilesTest {
    private static final long TRACE = 0xf11eL;
    private static final String KEY = "stead.rpc.socket.dir";

    private final Path directory;

    SocketFilesTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeAll
    static void onlyWithEpoll() {
        assumeTrue(Epoll.isAvailable());
    }

    private Loopback open() throws IOException {
        return open(directory.toString());
    }

    private static Loopback open(String key) throws IOException {
        return new Loopback(Loopback::echo, Map.of(KEY, key, "stead.rpc.stop.timeout", "0"));
    }

    /** A further server that listens, with the loops of {@code net}. */
    private static NettyServer listen(Loopback net, String host, int port, int number) throws IOException {
        return NettyServer.listen(
                net.loops,
                host,
                port,
                net.options,
                Loopback::echo,
                net.serverCounters,
                net.clock,
                TestHello.welcome(TestHello.mds(number)));
    }

    private static Path only(Path directory) throws IOException {
        List<Path> files = filesIn(directory);
        assertThat(files).hasSize(1);
        return files.get(0);
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    /** Makes a file as a server leaves it that is killed. */
    private static void leaveDead(Path file) throws IOException {
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(file));
        }
        assertThat(file).exists();
    }

    /** Makes a call, and returns how the server names the peer. Both ends must note the same connection. */
    private static String peerOfCall(Loopback net, NettyTransport transport, ServerAddress server) {
        Request stat = Loopback.stat("a");
        Request traced = new Request(
                stat.kind(), stat.header().toBuilder().setTraceId(TRACE).build(), stat.body(), stat.payload());
        assertThat(Loopback.pathOf(Loopback.get(transport.send(server, traced, 20_000))))
                .isEqualTo("a");
        RecentMessage out = net.clientCounters.recent().of(TRACE).get(0);
        RecentMessage in = net.serverCounters.recent().of(TRACE).get(0);
        assertThat(in.call()).isEqualTo(out.call());
        assertThat(in.senderPort()).isEqualTo(out.senderPort()).isPositive();
        assertThat(in.peer()).endsWith(Integer.toString(out.senderPort()));
        return in.peer();
    }

    private static void goesByFile(Loopback net, ServerAddress server) {
        goesByFile(net, net.transport, server);
    }

    private static void goesByFile(Loopback net, NettyTransport transport, ServerAddress server) {
        assertThat(peerOfCall(net, transport, server)).matches("socket file, connection [0-9]+");
    }

    private static void goesByTcp(Loopback net, ServerAddress server) {
        goesByTcp(net, net.transport, server);
    }

    private static void goesByTcp(Loopback net, NettyTransport transport, ServerAddress server) {
        assertThat(peerOfCall(net, transport, server)).matches("[0-9.:a-f]+:[0-9]+");
    }

    // ---- by the file

    @Test
    void aCallGoesByTheFile() throws IOException {
        try (Loopback net = open()) {
            goesByFile(net, net.address());
            assertThat(net.clientCounters.recent().of(TRACE).get(0).senderPort())
                    .isGreaterThan(65_535);
            assertThat(net.serverCounters.snapshot()).isEqualTo(Map.of("messages.in.STAT", 1L, "steps.test", 1L));
            assertThat(net.clientCounters.snapshot()).isEqualTo(Map.of("messages.out.STAT", 1L, "steps.test", 1L));
            Path file = only(directory);
            assertThat(file.getFileName().toString())
                    .matches("[0-9]+-127\\.0\\.0\\.1-" + net.address().port());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-rw-rw-");
        }
    }

    @Test
    void theNameOfAHostLeadsToTheFileToo() throws IOException {
        try (Loopback net = open()) {
            goesByFile(net, new ServerAddress("localhost", net.address().port()));
        }
    }

    @Test
    void aServerOnAllAddressesHasOneFile() throws IOException {
        try (Loopback net = open();
                NettyServer server = listen(net, "0.0.0.0", 0, 2)) {
            int port = server.address().port();
            assertThat(filesIn(directory))
                    .anyMatch(file -> file.toString().endsWith("-0.0.0.0-" + port))
                    .hasSize(2);
            goesByFile(net, new ServerAddress("127.0.0.1", port));
            goesByFile(net, new ServerAddress("127.0.0.9", port));
        }
    }

    @Test
    void anAddressOfVersion6HasColonsInItsFile() throws IOException {
        try (Loopback net = open()) {
            NettyServer server;
            try {
                server = listen(net, "::1", 0, 2);
            } catch (IOException e) {
                assumeTrue(false, "no IPv6: " + e.getMessage());
                return;
            }
            try (server) {
                assertThat(filesIn(directory))
                        .anyMatch(file -> file.toString()
                                .endsWith("-0:0:0:0:0:0:0:1-" + server.address().port()));
                goesByFile(net, new ServerAddress("::1", server.address().port()));
            }
        }
    }

    @Test
    void twoServersOfAProcessHaveTheirOwnFiles() throws IOException {
        try (Loopback net = open();
                NettyServer second = listen(net, "127.0.0.1", 0, 2)) {
            assertThat(filesIn(directory)).hasSize(2);
            goesByFile(net, net.address().of(TestHello.mds(1)));
            goesByFile(net, second.address().of(TestHello.mds(2)));
        }
    }

    @Test
    void theNextServerAtThePortIsReachedByItsOwnFile() throws IOException {
        try (Loopback net = open()) {
            NettyServer first = listen(net, "127.0.0.1", 0, 2);
            ServerAddress address = first.address();
            goesByFile(net, address);
            Path file = filesIn(directory).stream()
                    .filter(each -> each.toString().endsWith("-" + address.port()))
                    .findAny()
                    .orElseThrow();
            first.close();
            assertThat(file).doesNotExist();
            // As if the first one had been killed.
            leaveDead(file);
            try (NettyServer second = listen(net, "127.0.0.1", address.port(), 2)) {
                assertThat(second.address()).isEqualTo(address);
                Loopback.await(
                        "reached again",
                        () -> Loopback.get(net.transport.send(address, Loopback.stat("b"), 20_000))
                                .isOk());
                goesByFile(net, address);
            }
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void limitsOnConnectionsCountThemAsTheLoopbackAddress() throws IOException {
        Map<String, String> settings = Map.of(KEY, directory.toString(), "stead.rpc.connections.address.max", "2");
        try (Loopback net = new Loopback(Loopback::echo, settings);
                NettyTransport second = new NettyTransport(net.loops, net.options, new MessageCounters(), net.clock);
                NettyTransport third = new NettyTransport(net.loops, net.options, new MessageCounters(), net.clock)) {
            goesByFile(net, net.address());
            assertThat(Loopback.get(second.send(net.address(), Loopback.stat("a"), 20_000))
                            .isOk())
                    .isTrue();
            Reply busy = Loopback.get(third.send(net.address(), Loopback.stat("a"), 20_000));
            assertThat(busy.error()).isEqualTo(FsError.BUSY);
            assertThat(busy.header().getMessage())
                    .contains("2 connections of 127.0.0.1", "stead.rpc.connections.address.max is 2");
            assertThat(net.serverCounters.snapshot()).containsEntry("connections.refused", 1L);
            net.transport.close();
            Loopback.await(
                    "room again",
                    () -> Loopback.get(third.send(net.address(), Loopback.stat("a"), 20_000))
                            .isOk());
        }
    }

    @Test
    void garbageEndsItsOwnConnectionOnly() throws IOException {
        try (Loopback net = open()) {
            goesByFile(net, net.address());
            try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(only(directory)))) {
                channel.write(
                        ByteBuffer.wrap("GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
                DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
                ReplyHeader answer = RawFrames.readReply(in);
                assertThat(FsError.byCode(answer.getError())).contains(FsError.BAD_MESSAGE);
                assertThat(in.read()).isEqualTo(-1);
            }
            Loopback.await("only the good connection is left", () -> net.server.connections() == 1);
            goesByFile(net, net.address());
        }
    }

    @Test
    void onePeerThatBreaksOffDoesNoHarm() throws IOException {
        try (Loopback net = open()) {
            try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(only(directory)))) {
                channel.write(ByteBuffer.wrap(RawFrames.hello()));
                channel.write(ByteBuffer.wrap(RawFrames.request(1, "a"), 0, 30));
            }
            Loopback.await("it is gone", () -> net.server.connections() == 0);
            goesByFile(net, net.address());
        }
    }

    /** The kernel's default buffer would hold less than half of it. */
    @Test
    void aLargeReplyLeavesTheServerBeforeItsClientReads() throws IOException {
        int most = Integer.parseInt(
                Files.readString(Path.of("/proc/sys/net/core/wmem_max")).trim());
        assumeTrue(most >= NettyServer.FILE_SEND_BYTES, "the kernel allows " + most + " bytes");
        ByteBuf payload = Loopback.buffer(new byte[512 << 10]);
        RequestHandler handler = call -> call.reply(Reply.ok(StatReply.getDefaultInstance(), Payload.of(payload)));
        try (Loopback net = new Loopback(handler, Map.of(KEY, directory.toString(), "stead.rpc.stop.timeout", "0"));
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(only(directory)))) {
            channel.write(ByteBuffer.wrap(RawFrames.hello()));
            channel.write(ByteBuffer.wrap(RawFrames.request(1, "a")));
            Loopback.await("the kernel has all bytes", () -> payload.refCnt() == 0);
            assertThat(RawFrames.readReply(new DataInputStream(Channels.newInputStream(channel)))
                            .getCall())
                    .isEqualTo(1);
            assertThat(net.server.connections()).isEqualTo(1);
        }
    }

    // ---- by TCP

    @Test
    void withoutTheFileACallGoesByTcp() throws IOException {
        try (Loopback net = open()) {
            Files.delete(only(directory));
            goesByTcp(net, net.address());
        }
    }

    @Test
    void whereNobodyListensAtTheFileACallGoesByTcp() throws IOException {
        try (Loopback net = open()) {
            Path file = only(directory);
            Files.delete(file);
            leaveDead(file);
            goesByTcp(net, net.address());
        }
    }

    @Test
    void whereTooManyWaitToBeAcceptedACallGoesByTcp() throws IOException {
        try (Loopback net = open();
                ServerSocketChannel busy = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Path file = only(directory);
            Files.delete(file);
            busy.bind(UnixDomainSocketAddress.of(file), 1);
            List<SocketChannel> waiting = new ArrayList<>();
            try {
                assertThatThrownBy(() -> {
                            while (true) {
                                SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                                waiting.add(channel);
                                channel.configureBlocking(false);
                                channel.connect(UnixDomainSocketAddress.of(file));
                            }
                        })
                        .isInstanceOf(SocketException.class)
                        .hasMessageContaining("temporarily unavailable");
                goesByTcp(net, net.address());
            } finally {
                for (SocketChannel each : waiting) {
                    each.close();
                }
            }
        }
    }

    @Test
    void whereAnotherServerAnswersAtTheFileACallGoesByTcp() throws IOException {
        try (Loopback net = open();
                NettyServer other = listen(net, "127.0.0.1", 0, 2)) {
            List<Path> files = filesIn(directory);
            Path file = files.stream()
                    .filter(each -> each.toString().endsWith("-" + net.address().port()))
                    .findAny()
                    .orElseThrow();
            Path ofOther = files.stream()
                    .filter(each ->
                            each.toString().endsWith("-" + other.address().port()))
                    .findAny()
                    .orElseThrow();
            Files.delete(file);
            Files.createSymbolicLink(file, ofOther);
            goesByTcp(net, net.address().of(TestHello.mds(1)));
        }
    }

    @Test
    void whereHelloIsNotAnsweredACallGoesByTcp() throws IOException {
        Map<String, String> settings =
                Map.of(KEY, directory.toString(), "stead.rpc.stop.timeout", "0", "stead.rpc.connect.timeout", "300");
        try (Loopback net = new Loopback(Loopback::echo, settings);
                ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Path file = only(directory);
            Files.delete(file);
            silent.bind(UnixDomainSocketAddress.of(file));
            goesByTcp(net, net.address());
        }
    }

    @Test
    void whereSomethingElseAnswersACallGoesByTcp() throws Exception {
        try (Loopback net = open();
                ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Path file = only(directory);
            Files.delete(file);
            other.bind(UnixDomainSocketAddress.of(file));
            Thread answering = new Thread(() -> {
                try (SocketChannel channel = other.accept()) {
                    channel.write(StandardCharsets.US_ASCII.encode("220 mail.example ready\r\n"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            answering.start();
            goesByTcp(net, net.address());
            answering.join();
        }
    }

    @Test
    void onlyTheOwnerOfTheDirectoryAndRootMayListenInIt() {
        SocketFiles.Found found = new SocketFiles.Found(Path.of("/run/steadfs/1-127.0.0.1-7410"), 1000);
        assertThat(found.mayBeOf(1000)).isTrue();
        assertThat(found.mayBeOf(0)).isTrue();
        assertThat(found.mayBeOf(1001)).isFalse();
    }

    @Test
    void anotherServerByTcpTooIsToldAsBefore() throws IOException {
        try (Loopback net = open()) {
            Reply reply =
                    Loopback.get(net.transport.send(net.address().of(TestHello.mds(2)), Loopback.stat("a"), 20_000));
            assertThat(reply.error()).isEqualTo(FsError.UNREACHABLE);
            assertThat(reply.header().getMessage()).contains("WRONG_SERVER", "mds-1", "mds-2");
            goesByFile(net, net.address().of(TestHello.mds(1)));
        }
    }

    @Test
    void anEmptyKeyIsTcpAlone() throws IOException {
        try (Loopback net = open("")) {
            goesByTcp(net, net.address());
        }
    }

    @Test
    void clientsOfOneProcessMayHaveDifferentKeys() throws IOException {
        try (Loopback net = open();
                NettyTransport other = new NettyTransport(
                        net.loops, NettyOptions.from(Settings.of(Map.of(KEY, ""))), net.clientCounters, net.clock)) {
            goesByFile(net, net.transport, net.address());
            goesByTcp(net, other, net.address());
        }
    }

    @Test
    void withoutNativeCodeThereIsTcpAlone() throws IOException {
        Map<String, String> settings = Map.of(KEY, directory.toString());
        try (Loopback net = new Loopback(Loopback::echo, settings, EventLoops.openPortable("test-nio", 2))) {
            assertThat(filesIn(directory)).isEmpty();
            goesByTcp(net, net.address());
        }
    }

    @Test
    void anAddressOfAnotherMachineHasNoFile() throws IOException {
        try (Loopback net = open();
                NettyServer server = listen(net, "0.0.0.0", 0, 2)) {
            SocketFiles files = net.loops.socketFiles(net.options).orElseThrow();
            int port = server.address().port();
            // Addresses for documentation, which no machine has.
            assertThat(files.find(new InetSocketAddress("192.0.2.1", port))).isEmpty();
            assertThat(files.find(new InetSocketAddress("2001:db8::1", port))).isEmpty();
            assertThat(files.find(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
                    .isPresent();
        }
    }

    // ---- the directory

    @Test
    void theDirectoryOfAUserIsMade() throws IOException {
        Path made = directory.resolve("of-" + Files.getAttribute(directory, "unix:uid"));
        try (Loopback net = open(directory.resolve("of-%u").toString())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
            goesByFile(net, net.address());
        }
        assertThat(filesIn(made)).isEmpty();
    }

    @Test
    void anotherDirectoryIsNotMade() throws IOException {
        Path missing = directory.resolve("missing");
        try (Loopback net = open(missing.toString())) {
            assertThat(missing).doesNotExist();
            goesByTcp(net, net.address());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwxrwxrwx", "rwx----w-"})
    void aServerRefusesADirectoryThatOthersMayWrite(String mode) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
        try (Loopback net = open()) {
            assertThat(filesIn(directory)).isEmpty();
            goesByTcp(net, net.address());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwxrwxrwx", "rwx----w-"})
    void aClientRefusesADirectoryThatOthersMayWrite(String mode) throws IOException {
        try (Loopback net = open()) {
            assertThat(only(directory)).exists();
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
            goesByTcp(net, net.address());
        }
    }

    @Test
    void theDirectoryOfAUserMustBelongToThatUser() throws IOException {
        int user = (int) Files.getAttribute(directory, "unix:uid");
        assumeTrue(user == 0, "only root gives a directory away");
        Path others = Files.createDirectory(directory.resolve("of-0"));
        Files.setAttribute(others, "unix:uid", 4711);
        try (Loopback net = open(directory.resolve("of-%u").toString())) {
            assertThat(filesIn(others)).isEmpty();
            goesByTcp(net, net.address());
        }
    }

    @Test
    void theDirectoryOfAUserMustNotBeALink() throws IOException {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Files.createSymbolicLink(directory.resolve("of-" + Files.getAttribute(directory, "unix:uid")), elsewhere);
        try (Loopback net = open(directory.resolve("of-%u").toString())) {
            assertThat(filesIn(elsewhere)).isEmpty();
            goesByTcp(net, net.address());
        }
    }

    @Test
    void aDirectoryBehindALinkIsNotUsed() throws IOException {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), elsewhere);
        try (Loopback net = open(link.toString())) {
            assertThat(filesIn(elsewhere)).isEmpty();
            goesByTcp(net, net.address());
        }
    }

    @Test
    void aPathThatIsTooLongIsTcpAlone() throws IOException {
        Path deep = Files.createDirectory(directory.resolve("d".repeat(100)));
        try (Loopback net = open(deep.toString())) {
            assertThat(filesIn(deep)).isEmpty();
            goesByTcp(net, net.address());
        }
    }

    @Test
    void aPathThatTheMachineCannotHaveIsTcpAlone() throws IOException {
        try (Loopback net = open("/tmp/steadfs\0sockets")) {
            goesByTcp(net, net.address());
        }
    }

    @Test
    void aServerOnAllAddressesReplacesTheFileOfAKilledServerOnOneOfThem() throws IOException {
        try (Loopback net = open()) {
            int port;
            try (ServerSocket free = new ServerSocket(0)) {
                port = free.getLocalPort();
            }
            String name = only(directory).getFileName().toString();
            Path dead = directory.resolve(name.substring(0, name.lastIndexOf('-') + 1) + port);
            leaveDead(dead);
            try (NettyServer server = listen(net, "0.0.0.0", port, 2)) {
                assertThat(dead).doesNotExist();
                goesByFile(net, new ServerAddress("127.0.0.1", server.address().port()));
            }
        }
    }

    @Test
    void aRelativePathIsNoValue() {
        assertThatThrownBy(() -> NettyOptions.from(Settings.of(Map.of(KEY, "sockets"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'sockets' is no absolute path");
    }

    @Test
    void whatIsNoSocketIsLeftAsItIs() throws IOException {
        try (Loopback net = open()) {
            int port;
            try (ServerSocket free = new ServerSocket(0)) {
                port = free.getLocalPort();
            }
            String name = only(directory).getFileName().toString();
            String ours = name.substring(0, name.lastIndexOf('-') + 1) + port;
            Path file = Files.writeString(directory.resolve(ours), "mine");
            try (NettyServer server = listen(net, "127.0.0.1", port, 2)) {
                goesByTcp(net, server.address());
            }
            assertThat(file).hasContent("mine");
        }
    }

    @Test
    void filesOfKilledServersOfTheUserAreRemoved() throws IOException {
        String key = directory.resolve("of-%u").toString();
        try (Loopback net = open(key)) {
            Path made = only(directory);
            Path alive = only(made);
            String name = alive.getFileName().toString();
            String namespace = name.substring(0, name.indexOf('-') + 1);
            Path dead = made.resolve(namespace + "127.0.0.1-1");
            Path young = made.resolve(namespace + "127.0.0.1-2");
            Path ofOtherNamespace = made.resolve("1-127.0.0.1-3");
            Path noSocket = made.resolve(namespace + "notes");
            leaveDead(dead);
            leaveDead(young);
            leaveDead(ofOtherNamespace);
            Files.writeString(noSocket, "mine");
            FileTime before = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
            for (Path each : List.of(alive, dead, ofOtherNamespace, noSocket)) {
                Files.setLastModifiedTime(each, before);
            }
            try (NettyServer second = listen(net, "127.0.0.1", 0, 2)) {
                assertThat(dead).doesNotExist();
                assertThat(List.of(alive, young, ofOtherNamespace, noSocket)).allMatch(Files::exists);
                goesByFile(net, net.address());
                goesByFile(net, second.address());
            }
        }
    }
}

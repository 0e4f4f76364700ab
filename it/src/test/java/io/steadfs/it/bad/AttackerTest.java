package io.steadfs.it.bad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsError;
import io.steadfs.fuzz.Messages;
import io.steadfs.fuzz.Words;
import io.steadfs.hello.ClusterSecret;
import io.steadfs.hello.HelloOpener;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.PeerName;
import io.steadfs.it.Cluster;
import io.steadfs.it.Fsck;
import io.steadfs.it.Seed;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.Audience;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.Hello;
import io.steadfs.wire.proto.ReplyHeader;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody who reaches every port and does not know the cluster secret: whatever he says to a server, nothing that is for
 * servers or admins is done, and the files are as they were. {@code -Dstead.attacker.frames=} says how many frames of each
 * kind he sends to each server; the profile "attacker" has 10,000.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(3600)
class AttackerTest {
    private static final int FRAMES = Integer.getInteger("stead.attacker.frames", 200);
    /** Sent before the answers to them are read. */
    private static final int TOGETHER = 50;

    private static final int HELLOS = 50;
    private static final int FILES = 20;
    private static final String ATTACKER = "mallory";

    private final Random random = new Random(Seed.OF_RUN);
    private final Messages messages = new Messages(Words.NONE);
    private final Cluster cluster;
    private final String fileSystem;
    private final Map<String, String> before;

    AttackerTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, 2, 3, 2, Map.of());
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            for (int i = 0; i < FILES; i++) {
                FsPath directory = FsPath.parse("/d" + i % 4);
                fs.mkdirs(directory, 0755, true, false);
                byte[] bytes = new byte[i * 20_000];
                random.nextBytes(bytes);
                try (FileWriter writer = fs.create(directory.child("f" + i), CreateOptions.DEFAULT)) {
                    writer.write(bytes, 0, bytes.length);
                }
            }
            fileSystem = fs.clusterMap().getFileSystem();
        }
        before = contents();
    }

    @AfterEach
    void nothingWasTouched() throws IOException {
        assertThat(contents()).isEqualTo(before);
        var unused = Fsck.run(cluster, 0, "--scrub");
    }

    @AfterAll
    void stop() throws IOException {
        cluster.close();
    }

    /** Every file's bytes in short, by path. */
    private Map<String, String> contents() throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            for (int i = 0; i < FILES; i++) {
                FsPath path = FsPath.parse("/d" + i % 4 + "/f" + i);
                try (FileReader reader = fs.open(path)) {
                    byte[] bytes = Frames.bytes(reader);
                    all.put(
                            path.toString(),
                            bytes.length + " " + ByteBuffer.wrap(bytes).hashCode());
                }
            }
        }
        return all;
    }

    private static Introduction client() {
        return new Introduction(PeerIdentity.client(ATTACKER), Optional.empty());
    }

    private static Introduction admin() {
        return new Introduction(PeerIdentity.admin(ATTACKER), Optional.empty());
    }

    private static List<Kind> kindsFor(Audience audience) {
        return Stream.of(Kind.values())
                .filter(kind -> kind.audience() == audience)
                .toList();
    }

    @Test
    void whatIsForServersIsRefusedFromOthers() throws IOException {
        tryAll("as client", client(), kindsFor(Audience.SERVER));
        tryAll("as admin", admin(), kindsFor(Audience.SERVER));
    }

    @Test
    void whatIsForAdminsIsRefusedFromOthers() throws IOException {
        tryAll("as client", client(), kindsFor(Audience.ADMIN));
        tryAll("as admin by the name of nobody", admin(), kindsFor(Audience.ADMIN));
    }

    private void tryAll(String name, Introduction introduction, List<Kind> kinds) throws IOException {
        Map<FsError, Integer> answers = new EnumMap<>(FsError.class);
        long sent = 0;
        for (ServerAddress server : cluster.ports().values()) {
            for (Kind kind : kinds) {
                try (Socket socket = Frames.connect(server, introduction)) {
                    DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
                    for (int done = 0; done < FRAMES; done += TOGETHER) {
                        int now = Math.min(TOGETHER, FRAMES - done);
                        ByteArrayOutputStream frames = new ByteArrayOutputStream();
                        for (int i = 1; i <= now; i++) {
                            byte[] body = messages.bytes(random, kind.emptyRequest());
                            frames.writeBytes(Frames.request(kind, i, body));
                        }
                        socket.getOutputStream().write(frames.toByteArray());
                        for (int i = 1; i <= now; i++) {
                            ReplyHeader reply = Frames.readReply(in);
                            answers.merge(FsError.byCode(reply.getError()).orElseThrow(), 1, Integer::sum);
                        }
                        sent += now;
                    }
                }
            }
        }
        System.out.printf(
                "%s: %d frames of %d kinds to %d servers, answers %s%n",
                name, sent, kinds.size(), cluster.ports().size(), answers);
        // What cannot be decoded is refused before anybody asks whom it is from.
        assertThat(answers.keySet()).isSubsetOf(FsError.PERMISSION_DENIED, FsError.BAD_MESSAGE);
        assertThat(answers.get(FsError.PERMISSION_DENIED)).isGreaterThan((int) (sent / 2));
    }

    /** Whoever says to be a server is let in by its proof alone. */
    @Test
    void nobodyIsAServerWithoutTheSecret() throws IOException {
        byte[] key = new byte[ClusterSecret.BYTES];
        random.nextBytes(key);
        ClusterSecret guessed = new ClusterSecret(List.of(key));
        PeerName claimed = new PeerName(fileSystem, ClusterMap.Role.MDS, 1);
        for (Map.Entry<String, ServerAddress> port : cluster.ports().entrySet()) {
            // One that keeps to the protocol finds out himself that the server has another secret.
            assertThatThrownBy(() -> Frames.connect(port.getValue(), Introduction.server(claimed, () -> guessed)))
                    .hasMessageContaining("does not prove the cluster secret");
            for (int i = 0; i < HELLOS; i++) {
                assertThat(answerTo(port.getValue(), guessed, claimed, i))
                        .as("%s, attempt %d", port.getKey(), i)
                        .contains("PERMISSION_DENIED");
            }
        }
    }

    /** Sends a proof that is made up or said back, and a request behind it; the answers to that. */
    private String answerTo(ServerAddress server, ClusterSecret guessed, PeerName claimed, int attempt)
            throws IOException {
        try (Socket socket = new Socket(server.host(), server.port())) {
            socket.setSoTimeout(30_000);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            Hello first = new HelloOpener(Introduction.server(claimed, () -> guessed), PeerName.ANYBODY).first();
            socket.getOutputStream().write(Frames.hello(first));
            Hello answer = Frames.readHello(in);
            byte[] noise = new byte[ClusterSecret.BYTES];
            random.nextBytes(noise);
            Hello.Builder proof = Hello.newBuilder();
            switch (attempt % 3) {
                case 0 -> proof.setProof(answer.getProof());
                case 1 -> proof.setProof(ByteString.copyFrom(noise));
                default -> proof.clearProof();
            }
            socket.getOutputStream().write(Frames.hello(proof.build()));
            socket.getOutputStream().write(Frames.request(Kind.FINISH, 1, new byte[0]));
            List<String> answers = new ArrayList<>();
            try {
                while (true) {
                    ReplyHeader reply = Frames.readReply(in);
                    answers.add(reply.getCall() + " "
                            + FsError.byCode(reply.getError()).orElseThrow());
                }
            } catch (EOFException | SocketException e) {
                assertThat(answers).as("one refusal and the end").hasSize(1);
                return answers.get(0);
            }
        }
    }

    /** Before HELLO no request is received, whatever it is. */
    @Test
    void nothingIsAnsweredBeforeHello() throws IOException {
        for (ServerAddress server : cluster.ports().values()) {
            for (Kind kind : Kind.values()) {
                try (Socket socket = new Socket(server.host(), server.port())) {
                    socket.setSoTimeout(30_000);
                    socket.getOutputStream()
                            .write(Frames.request(kind, 1, messages.bytes(random, kind.emptyRequest())));
                    ReplyHeader reply = Frames.readReply(new DataInputStream(socket.getInputStream()));
                    assertThat(reply.getCall()).as("%s", kind).isZero();
                    assertThat(FsError.byCode(reply.getError())).contains(FsError.BAD_MESSAGE);
                    assertThat(reply.getMessage()).contains("HELLO");
                }
            }
        }
    }
}

package io.steadfs.hello;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.wire.Role;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.Hello;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who gets in, and who does not; both sides without a network. */
class HelloTest {
    private static final PeerName HERE = TestHello.io(3);
    private static final PeerName PEER = TestHello.mds(1);
    private static final String OTHER = "00000000-0000-0000-0000-0000000000ff";

    private static HelloAnswerer answerer(ClusterSecret secret) {
        return new HelloAnswerer(new Welcome(HERE, () -> secret));
    }

    private static HelloOpener server(ClusterSecret secret, PeerName meant) {
        return new HelloOpener(Introduction.server(PEER, () -> secret), meant);
    }

    private static FsException refusal(HelloAnswerer answerer, Hello hello) {
        return catchThrowableOfType(FsException.class, () -> answerer.hear(hello));
    }

    private static Hello reply(HelloAnswerer.Heard heard) {
        return heard.reply().orElseThrow();
    }

    private static Hello proof(HelloOpener.Greeted greeted) {
        return greeted.proof().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("whomAClientMayMean")
    void aClientIsLetInAtOnce(PeerName meant) throws FsException {
        HelloOpener opener = new HelloOpener(Introduction.client(), meant);
        HelloAnswerer.Heard heard = answerer(TestHello.SECRET).hear(opener.first());
        assertThat(heard.peerIdentity()).contains(PeerIdentity.client(System.getProperty("user.name")));
        HelloOpener.Greeted greeted = opener.answered(reply(heard));
        assertThat(greeted.answered()).isEqualTo(HERE);
        assertThat(greeted.proof()).isEmpty();
        assertThat(reply(heard).getProof())
                .as("nobody but servers is proven anything")
                .isEqualTo(ByteString.EMPTY);
    }

    static List<PeerName> whomAClientMayMean() {
        return List.of(PeerName.ANYBODY, PeerName.anyOf(TestHello.FILE_SYSTEM), HERE);
    }

    @Test
    void anAdminSaysSo() throws FsException {
        HelloOpener opener = new HelloOpener(Introduction.admin(), HERE);
        assertThat(answerer(TestHello.SECRET).hear(opener.first()).peerIdentity())
                .map(PeerIdentity::role)
                .contains(Role.ADMIN);
    }

    @Test
    void aServerIsLetInWhenBothHaveProvenTheSecret() throws FsException {
        HelloOpener opener = server(TestHello.SECRET, HERE);
        HelloAnswerer answerer = answerer(TestHello.SECRET);
        HelloAnswerer.Heard first = answerer.hear(opener.first());
        assertThat(first.peerIdentity()).as("not before its proof").isEmpty();
        HelloOpener.Greeted greeted = opener.answered(reply(first));
        assertThat(answerer.hear(proof(greeted)).peerIdentity()).contains(PeerIdentity.server(PEER));
    }

    /** Whoever is meant is another one: both names are told. */
    @ParameterizedTest
    @MethodSource("others")
    void anotherOneThanMeantRefuses(PeerName meant) {
        for (Introduction introduction : List.of(
                Introduction.client(), Introduction.admin(), Introduction.server(PEER, () -> TestHello.SECRET))) {
            Hello hello = new HelloOpener(introduction, meant)
                    .first().toBuilder().setFileSystem(meant.fileSystem()).build();
            FsException refused = refusal(answerer(TestHello.SECRET), hello);
            assertThat(refused.error()).isEqualTo(FsError.WRONG_SERVER);
            assertThat(refused).hasMessageContaining(HERE.toString()).hasMessageContaining(meant.toString());
        }
    }

    /** A server that does not look whom is meant is found out by who opened the connection. */
    @ParameterizedTest
    @MethodSource("others")
    void anotherOneThanMeantIsNotTaken(PeerName meant) throws FsException {
        Hello answer = reply(
                answerer(TestHello.SECRET).hear(new HelloOpener(Introduction.client(), PeerName.ANYBODY).first()));
        HelloOpener opener = new HelloOpener(Introduction.client(), meant);
        assertThatThrownBy(() -> opener.answered(answer))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("WRONG_SERVER")
                .hasMessageContaining(HERE.toString())
                .hasMessageContaining(meant.toString());
    }

    static List<PeerName> others() {
        return List.of(
                PeerName.anyOf(OTHER), new PeerName(OTHER, ClusterMap.Role.IO, 3), TestHello.io(4), TestHello.mds(3));
    }

    static Stream<Arguments> secrets() {
        return Stream.of(
                Arguments.of("the same", new int[] {1}, new int[] {1}, true),
                Arguments.of("another", new int[] {1}, new int[] {2}, false),
                Arguments.of("old, and old then new", new int[] {1}, new int[] {1, 2}, true),
                Arguments.of("old then new, and new then old", new int[] {1, 2}, new int[] {2, 1}, true),
                Arguments.of("new then old, and new", new int[] {2, 1}, new int[] {2}, true),
                Arguments.of("two others", new int[] {1, 2}, new int[] {3, 4}, false));
    }

    /** A secret is changed in three steps, each of which may be at some servers and not at others. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("secrets")
    void twoSecretsMayBeValidAtATime(String name, int[] mine, int[] theirs, boolean meets) {
        for (int turn = 0; turn < 2; turn++) {
            ClusterSecret opening = TestHello.secret(turn == 0 ? mine : theirs);
            ClusterSecret answering = TestHello.secret(turn == 0 ? theirs : mine);
            HelloOpener opener = server(opening, HERE);
            HelloAnswerer answerer = answerer(answering);
            Optional<PeerIdentity> peerIdentity;
            try {
                peerIdentity = answerer.hear(proof(opener.answered(reply(answerer.hear(opener.first())))))
                        .peerIdentity();
            } catch (FsException e) {
                assertThat(e.error()).isEqualTo(FsError.PERMISSION_DENIED);
                peerIdentity = Optional.empty();
            }
            assertThat(peerIdentity).isEqualTo(meets ? Optional.of(PeerIdentity.server(PEER)) : Optional.empty());
        }
    }

    /** What a server said to prove itself proves nothing when somebody says it back. */
    @Test
    void aProofSaidBackIsNone() throws FsException {
        HelloOpener opener = server(TestHello.SECRET, HERE);
        HelloAnswerer answerer = answerer(TestHello.SECRET);
        Hello answer = reply(answerer.hear(opener.first()));
        FsException refused =
                refusal(answerer, Hello.newBuilder().setProof(answer.getProof()).build());
        assertThat(refused.error()).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(refused).hasMessageContaining(PEER.toString()).hasMessageContaining(HERE.toString());
    }

    /** The same server on both ends, which does happen, and a proof of the other end. */
    @Test
    void aServerIsNotProvenByItsOwnProof() throws FsException {
        Introduction self = Introduction.server(HERE, () -> TestHello.SECRET);
        HelloAnswerer first = answerer(TestHello.SECRET);
        HelloAnswerer second = answerer(TestHello.SECRET);
        Hello hello = new HelloOpener(self, HERE).first();
        Hello toFirst = reply(first.hear(hello));
        // The attacker gives the first one's challenge to a second connection, and its answer back to the first one.
        Hello toSecond = reply(second.hear(
                hello.toBuilder().setChallenge(toFirst.getChallenge()).build()));
        assertThat(refusal(
                                first,
                                Hello.newBuilder().setProof(toSecond.getProof()).build())
                        .error())
                .isEqualTo(FsError.PERMISSION_DENIED);
    }

    @Test
    void aProofOfAnEarlierConnectionIsNone() throws FsException {
        HelloOpener opener = server(TestHello.SECRET, HERE);
        HelloAnswerer earlier = answerer(TestHello.SECRET);
        Hello proof = proof(opener.answered(reply(earlier.hear(opener.first()))));
        assertThat(earlier.hear(proof).peerIdentity()).isPresent();
        HelloAnswerer later = answerer(TestHello.SECRET);
        assertThat(later.hear(opener.first()).peerIdentity()).isEmpty();
        assertThat(refusal(later, proof).error()).isEqualTo(FsError.PERMISSION_DENIED);
    }

    @Test
    void anAnswerWithoutProofIsNotTakenByAServer() throws FsException {
        HelloOpener opener = server(TestHello.SECRET, HERE);
        Hello answer = reply(answerer(TestHello.SECRET).hear(opener.first()));
        assertThatThrownBy(() -> opener.answered(answer.toBuilder().clearProof().build()))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("PERMISSION_DENIED");
        assertThatThrownBy(() -> opener.answered(
                        answer.toBuilder().setServer(TestHello.io(4).server()).build()))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("WRONG_SERVER");
    }

    static Stream<Arguments> spoiled() {
        return Stream.of(
                spoiled("protocol", FsError.UNSUPPORTED_VERSION, hello -> hello.setProtocol(99)),
                spoiled("no role", FsError.BAD_MESSAGE, Hello.Builder::clearRole),
                spoiled("unknown role", FsError.BAD_MESSAGE, hello -> hello.setRoleValue(77)),
                spoiled("no server", FsError.BAD_MESSAGE, Hello.Builder::clearServer),
                spoiled("no file system", FsError.BAD_MESSAGE, Hello.Builder::clearFileSystem),
                spoiled("no challenge", FsError.BAD_MESSAGE, Hello.Builder::clearChallenge),
                spoiled(
                        "short challenge",
                        FsError.BAD_MESSAGE,
                        hello -> hello.setChallenge(ByteString.copyFromUtf8("x"))),
                spoiled("user of two lines", FsError.BAD_MESSAGE, hello -> hello.setUser("a\nb")),
                spoiled("long user", FsError.BAD_MESSAGE, hello -> hello.setUser("u".repeat(256))));
    }

    private static Arguments spoiled(String name, FsError error, UnaryOperator<Hello.Builder> change) {
        return Arguments.of(name, error, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("spoiled")
    void whatCannotBeAHelloIsRefused(String name, FsError error, UnaryOperator<Hello.Builder> change) {
        Hello good = server(TestHello.SECRET, HERE).first();
        assertThat(refusal(
                                answerer(TestHello.SECRET),
                                change.apply(good.toBuilder()).build())
                        .error())
                .isEqualTo(error);
    }

    @Test
    void aSecretShowsNothing() {
        assertThat(TestHello.secret(0x41, 0x42).toString()).doesNotContain("4141", "AAAA");
        assertThat(TestHello.secret(1, 2).passwords("a"))
                .hasSize(2)
                .doesNotContainAnyElementsOf(TestHello.secret(1, 2).passwords("b"));
    }
}

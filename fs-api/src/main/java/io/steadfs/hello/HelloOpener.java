package io.steadfs.hello;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.Role;
import io.steadfs.wire.proto.Hello;
import java.util.Optional;

/**
 * Opens a connection by HELLO messages, until the process may send requests:
 *
 * <pre>
 *  opener                                                        answerer, a server
 *    | HELLO protocol, role, file system and server meant, user      |
 *    |          of a server also: which one it is, challenge 1       |
 *    | -------------------------------------------------------------&gt;|  refuses: another file system or server is meant,
 *    |                                                               |           another protocol, no role
 *    |       HELLO protocol, SERVER, file system, which one it is    |
 *    |          to a server also: challenge 2, proof of the answerer |
 *    |&lt;------------------------------------------------------------- |  a client or admin may send requests now
 *    | refuses: not the one that is meant, no proof                  |
 *    |                                                               |
 *    | HELLO proof of the opener            between servers only     |
 *    | -------------------------------------------------------------&gt;|  refuses: no proof
 *    | requests                                                      |
 * </pre>
 *
 * <p>The opener sends no request before it has verified the answer. So a wrong process at the address gets no request.
 * If the HELLO fails, the requests for this connection were certainly not executed. {@link Proofs} says what a proof
 * contains.
 */
public final class HelloOpener {
    private final Introduction introduction;
    private final PeerName meant;
    private final Hello first;

    /**
     * What the opener does after an answer.
     *
     * @param answered name of the server that answered
     * @param proof HELLO to send before the first request; empty if the opener is no server
     */
    public record Greeted(PeerName answered, Optional<Hello> proof) {}

    /** @param meant the server that the opener expects at the address */
    public HelloOpener(Introduction introduction, PeerName meant) {
        this(introduction, meant, 0);
    }

    /**
     * @param meant the server that the opener expects at the address
     * @param number number of a connection without ports, for the server's notes; 0 = the connection has ports
     */
    public HelloOpener(Introduction introduction, PeerName meant, int number) {
        this.introduction = introduction;
        this.meant = meant;
        PeerIdentity self = introduction.self();
        Hello.Builder hello = Hello.newBuilder()
                .setProtocol(FrameEncoder.VERSION)
                .setRole(encode(self.role()))
                .setFileSystem(self.role() == Role.SERVER ? self.name().fileSystem() : meant.fileSystem())
                .setUser(self.user())
                .setNumber(number);
        if (meant.isOneServer()) {
            hello.setMeant(meant.server());
        }
        if (self.role() == Role.SERVER) {
            hello.setServer(self.name().server()).setChallenge(ByteString.copyFrom(Proofs.challenge()));
        }
        this.first = hello.build();
    }

    private static Hello.Role encode(Role role) {
        return switch (role) {
            case CLIENT -> Hello.Role.CLIENT;
            case ADMIN -> Hello.Role.ADMIN;
            case SERVER -> Hello.Role.SERVER;
        };
    }

    /** The first HELLO of a connection. */
    public Hello first() {
        return first;
    }

    /** @throws FsException if the wrong server answered or its proof is not valid; the message says which */
    public Greeted answered(Hello answer) throws FsException {
        if (answer.getProtocol() != FrameEncoder.VERSION) {
            throw new FsException(
                    FsError.UNSUPPORTED_VERSION,
                    "the server speaks version " + Integer.toUnsignedString(answer.getProtocol()) + "; version "
                            + FrameEncoder.VERSION + " is spoken here");
        }
        PeerName there = PeerName.of(answer.getFileSystem(), answer.getServer());
        if (answer.getRole() != Hello.Role.SERVER
                || !there.isOneServer()
                || there.fileSystem().isEmpty()) {
            throw new FsException(FsError.BAD_MESSAGE, "the answer to HELLO does not say which server it is from");
        }
        if (!there.fits(meant)) {
            throw new FsException(FsError.WRONG_SERVER, there + " answers; " + meant + " was meant");
        }
        return new Greeted(
                there, introduction.secret().isEmpty() ? Optional.empty() : Optional.of(proof(answer, there)));
    }

    /**
     * Makes the opener's proof. The proof uses the key of the answerer's proof, because the answerer certainly accepts
     * that key.
     */
    private Hello proof(Hello answer, PeerName there) throws FsException {
        ClusterSecret.Key key = introduction
                .secret()
                .flatMap(secret -> secret.get()
                        .proven(
                                Proofs.ofAnswerer(first, answer),
                                answer.getProof().toByteArray()))
                .orElseThrow(() -> new FsException(
                        FsError.PERMISSION_DENIED, there + " does not prove the cluster secret that is valid here"));
        return Hello.newBuilder()
                .setProof(ByteString.copyFrom(key.prove(Proofs.ofOpener(first, answer))))
                .build();
    }
}

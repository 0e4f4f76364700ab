package io.steadfs.hello;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.Role;
import io.steadfs.wire.proto.Hello;
import java.util.Optional;

/**
 * The side that opens a connection, until requests may be sent:
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
 * <p>No request is sent before the answer was verified. So a wrong process at an address gets no request, and a request that a HELLO
 * refused was certainly not executed. {@link Proofs} says what is proven.
 */
public final class HelloOpener {
    private final Introduction introduction;
    private final PeerName meant;
    private final Hello first;

    /**
     * What this side does after an answer.
     *
     * @param answered who is there
     * @param proof to be sent before the first request
     */
    public record Greeted(PeerName answered, Optional<Hello> proof) {}

    /** @param meant the server that this side expects at the address */
    public HelloOpener(Introduction introduction, PeerName meant) {
        this.introduction = introduction;
        this.meant = meant;
        PeerIdentity self = introduction.self();
        Hello.Builder hello = Hello.newBuilder()
                .setProtocol(FrameEncoder.VERSION)
                .setRole(encode(self.role()))
                .setFileSystem(self.role() == Role.SERVER ? self.name().fileSystem() : meant.fileSystem())
                .setUser(self.user());
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

    /** The HELLO that is sent first. */
    public Hello first() {
        return first;
    }

    /** @throws FsException naming who answered and who was meant, or saying that the answer has no valid proof */
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

    /** The opener's proof. It is made with the key that the answerer used, because the answerer certainly accepts that key. */
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

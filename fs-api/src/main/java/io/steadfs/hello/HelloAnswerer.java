package io.steadfs.hello;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.Role;
import io.steadfs.wire.proto.Hello;
import java.util.Optional;

/**
 * Answers the HELLO of a process that opens a connection to this server. The server reads requests only after the
 * exchange of HELLO messages. {@link HelloOpener} has a drawing of the messages. Each connection has its own object.
 */
public final class HelloAnswerer {
    private final Welcome welcome;
    /** The HELLO of another server and the answer to that HELLO. Empty before the HELLO of another server. */
    private Optional<Awaited> awaited = Optional.empty();

    private record Awaited(Hello opener, Hello answer, PeerIdentity claimed) {}

    /**
     * What the answerer does after a HELLO.
     *
     * @param reply HELLO to send back; empty if nothing is sent
     * @param peerIdentity identity of the process at the other end, after which requests are read; empty while the
     *     identity is not yet certain
     */
    public record Heard(Optional<Hello> reply, Optional<PeerIdentity> peerIdentity) {}

    public HelloAnswerer(Welcome welcome) {
        this.welcome = welcome;
    }

    /** @throws FsException if the server refuses the connection; the message names both sides */
    public Heard hear(Hello hello) throws FsException {
        return awaited.isEmpty() ? first(hello) : proof(hello, awaited.get());
    }

    private Heard first(Hello hello) throws FsException {
        if (hello.getProtocol() != FrameEncoder.VERSION) {
            throw new FsException(
                    FsError.UNSUPPORTED_VERSION,
                    "HELLO of version " + Integer.toUnsignedString(hello.getProtocol()) + "; version "
                            + FrameEncoder.VERSION + " is spoken here");
        }
        PeerIdentity peerIdentity = peerIdentity(hello);
        PeerName self = welcome.self();
        PeerName meant = PeerName.of(hello.getFileSystem(), hello.getMeant());
        if (!self.fits(meant)) {
            throw new FsException(FsError.WRONG_SERVER, "this is " + self + "; " + peerIdentity + " means " + meant);
        }
        Hello.Builder answer = Hello.newBuilder()
                .setProtocol(FrameEncoder.VERSION)
                .setRole(Hello.Role.SERVER)
                .setFileSystem(self.fileSystem())
                .setServer(self.server());
        if (peerIdentity.role() != Role.SERVER) {
            return new Heard(Optional.of(answer.build()), Optional.of(peerIdentity));
        }
        answer.setChallenge(ByteString.copyFrom(Proofs.challenge()));
        byte[] proof = welcome.secret().get().first().prove(Proofs.ofAnswerer(hello, answer.build()));
        Hello whole = answer.setProof(ByteString.copyFrom(proof)).build();
        awaited = Optional.of(new Awaited(hello, whole, peerIdentity));
        return new Heard(Optional.of(whole), Optional.empty());
    }

    private static PeerIdentity peerIdentity(Hello hello) throws FsException {
        String user = hello.getUser();
        if (user.length() > PeerIdentity.MOST_USER_CHARACTERS || user.chars().anyMatch(Character::isISOControl)) {
            throw bad("its user is no name of at most " + PeerIdentity.MOST_USER_CHARACTERS + " characters");
        }
        return switch (hello.getRole()) {
            case CLIENT -> PeerIdentity.client(user);
            case ADMIN -> PeerIdentity.admin(user);
            case SERVER -> server(hello);
            case ROLE_UNSPECIFIED, UNRECOGNIZED -> throw bad("role " + hello.getRoleValue() + " is not known here");
        };
    }

    private static PeerIdentity server(Hello hello) throws FsException {
        PeerName name = PeerName.of(hello.getFileSystem(), hello.getServer());
        if (!name.isOneServer() || name.fileSystem().isEmpty()) {
            throw bad("a server must name itself and its file system, but the HELLO names " + name);
        }
        if (hello.getChallenge().size() != ClusterSecret.BYTES) {
            throw bad("a challenge of " + hello.getChallenge().size() + " bytes, not " + ClusterSecret.BYTES);
        }
        return PeerIdentity.server(name);
    }

    private Heard proof(Hello hello, Awaited past) throws FsException {
        byte[] what = Proofs.ofOpener(past.opener(), past.answer());
        if (welcome.secret().get().proven(what, hello.getProof().toByteArray()).isEmpty()) {
            throw new FsException(
                    FsError.PERMISSION_DENIED,
                    "the supposed " + past.claimed() + " does not prove the cluster secret that is valid at "
                            + welcome.self());
        }
        return new Heard(Optional.empty(), Optional.of(past.claimed()));
    }

    private static FsException bad(String why) {
        return new FsException(FsError.BAD_MESSAGE, "HELLO cannot be used: " + why);
    }
}

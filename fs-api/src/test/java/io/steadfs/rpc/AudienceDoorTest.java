package io.steadfs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.TestHello;
import io.steadfs.wire.Kind;
import io.steadfs.wire.Role;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind by every role, with every name. {@code KindPageTest} has which audience each kind has. */
class AudienceDoorTest {
    private static final String SUPERUSER = "root";

    private final List<Kind> inside = new ArrayList<>();
    private final AudienceDoor door = new AudienceDoor(
            call -> {
                inside.add(call.request().kind());
                call.reply(Reply.ok(call.request().kind().emptyReply()));
            },
            caller -> caller.getUser().equals(SUPERUSER));

    /** A call that takes its answer. */
    private static final class Asked implements RequestHandler.Call {
        private final Request request;
        private final PeerIdentity peerIdentity;
        private final List<Reply> replies = new ArrayList<>();

        Asked(Kind kind, PeerIdentity peerIdentity, String user) {
            this.request = new Request(
                    kind,
                    RequestHeader.newBuilder()
                            .setKind(kind.number())
                            .setCaller(Caller.newBuilder().setUser(user))
                            .build(),
                    kind.emptyRequest(),
                    Payload.EMPTY);
            this.peerIdentity = peerIdentity;
        }

        @Override
        public Request request() {
            return request;
        }

        @Override
        public String peer() {
            return "h:1";
        }

        @Override
        public PeerIdentity peerIdentity() {
            return peerIdentity;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean isAlone() {
            return false;
        }

        @Override
        public void reply(Reply reply) {
            replies.add(reply);
        }
    }

    static Stream<Arguments> all() {
        List<PeerIdentity> principals = List.of(
                PeerIdentity.client(SUPERUSER),
                PeerIdentity.client("alice"),
                PeerIdentity.admin(SUPERUSER),
                PeerIdentity.admin("alice"),
                PeerIdentity.admin(""),
                TestHello.peerIdentity());
        return Stream.of(Kind.values())
                .flatMap(kind -> principals.stream().map(peerIdentity -> Arguments.of(kind, peerIdentity)));
    }

    /** Said a second time, apart from the code: what each role may send. */
    private static boolean mayPass(Kind kind, Role role, boolean superuser) {
        return switch (kind.audience()) {
            case ANYONE, USER -> true;
            case ADMIN -> role == Role.SERVER || (role == Role.ADMIN && superuser);
            case SERVER -> role == Role.SERVER;
        };
    }

    @ParameterizedTest(name = "{0} of {1}")
    @MethodSource("all")
    void aKindIsForItsAudience(Kind kind, PeerIdentity peerIdentity) {
        for (String user : List.of("", SUPERUSER, "alice")) {
            inside.clear();
            Asked call = new Asked(kind, peerIdentity, user);
            door.handle(call);
            // Whom the request names; where it names nobody, whom the connection does.
            boolean superuser = (user.isEmpty() ? peerIdentity.user() : user).equals(SUPERUSER);
            boolean passes = mayPass(kind, peerIdentity.role(), superuser);
            assertThat(inside).isEqualTo(passes ? List.of(kind) : List.of());
            assertThat(call.replies).singleElement().satisfies(reply -> {
                assertThat(reply.error()).isEqualTo(passes ? FsError.OK : FsError.PERMISSION_DENIED);
                if (!passes) {
                    assertThat(reply.header().getMessage())
                            .contains(kind.name(), kind.audience().toString(), "h:1");
                }
            });
        }
    }

    @Test
    void aRefusalNamesTheRoleThatIsNeededAndTheOneThatWasHad() {
        Asked call = new Asked(Kind.FINISH, PeerIdentity.client("alice"), "alice");
        door.handle(call);
        assertThat(call.replies.get(0).header().getMessage())
                .isEqualTo("FINISH is for servers; h:1 said HELLO as client of user alice");
    }
}

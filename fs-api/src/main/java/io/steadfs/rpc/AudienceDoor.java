package io.steadfs.rpc;

import io.steadfs.error.FsError;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.wire.Audience;
import io.steadfs.wire.Kind;
import io.steadfs.wire.Role;
import io.steadfs.wire.proto.Caller;
import java.util.function.Predicate;

/**
 * The one place that checks who may send a kind: it compares {@link Kind#audience} with the role of the connection. All other request
 * handlers stand behind it. A kind for admins is for a superuser or a member of the supergroup. The user is the one that the request names
 * or, where it names none, the one that the HELLO of the connection named.
 */
public final class AudienceDoor implements RequestHandler {
    private final RequestHandler inside;
    private final Predicate<Caller> administrators;

    /** @param administrators true for a caller that is the superuser or in the supergroup */
    public AudienceDoor(RequestHandler inside, Predicate<Caller> administrators) {
        this.inside = inside;
        this.administrators = administrators;
    }

    @Override
    public void handle(Call call) {
        Request request = call.request();
        Kind kind = request.kind();
        PeerIdentity peerIdentity = call.peerIdentity();
        if (!kind.audience().admits(peerIdentity.role())) {
            refuse(call, kind + " is for " + kind.audience() + "; " + call.peer() + " said HELLO as " + peerIdentity);
        } else if (kind.audience() == Audience.ADMIN && peerIdentity.role() != Role.SERVER && !isAdministrator(call)) {
            refuse(
                    call,
                    kind + " is for " + kind.audience() + ", who are the superuser and the supergroup; user '"
                            + caller(call).getUser() + "' at " + call.peer() + " is neither");
        } else {
            inside.handle(call);
        }
    }

    private boolean isAdministrator(Call call) {
        return administrators.test(caller(call));
    }

    private static Caller caller(Call call) {
        Caller named = call.request().header().getCaller();
        return named.getUser().isEmpty()
                ? named.toBuilder().setUser(call.peerIdentity().user()).build()
                : named;
    }

    private static void refuse(Call call, String why) {
        Request request = call.request();
        request.payload().release();
        call.reply(Reply.refused(request.kind(), FsError.PERMISSION_DENIED, why));
    }
}

package io.steadfs.rpc;

import io.steadfs.error.FsError;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.wire.Audience;
import io.steadfs.wire.Kind;
import io.steadfs.wire.Role;
import io.steadfs.wire.proto.Caller;
import java.util.function.Predicate;

/**
 * Checks whether a caller may send a kind of message, before any other request handler sees the request. No other class
 * makes this check. The door compares {@link Kind#audience} with the role of the connection. A client may send a kind
 * for admins only if its user is the superuser or a member of the supergroup. If a request names no user, the user of
 * the connection's HELLO counts.
 */
public final class AudienceDoor implements RequestHandler {
    private final RequestHandler inside;
    private final Predicate<Caller> administrators;

    /**
     * @param inside handler of the requests that pass the check
     * @param administrators true for a caller that is the superuser or a member of the supergroup
     */
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

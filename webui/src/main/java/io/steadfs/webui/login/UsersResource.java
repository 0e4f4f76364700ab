package io.steadfs.webui.login;

import io.steadfs.webui.list.Page;
import io.steadfs.webui.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Serves the list of users who may log in. Only operators may read or change the list. */
@Path("users")
@Produces(MediaType.APPLICATION_JSON)
public final class UsersResource {
    private final Users users;
    private final Sessions sessions;
    private final Changes changes;

    public UsersResource(Users users, Sessions sessions, Changes changes) {
        this.users = users;
        this.sessions = sessions;
        this.changes = changes;
    }

    /** A request to add a user. */
    public record UserSpec(@Nullable String name, @Nullable String role) {}

    @GET
    public Page<Users.User> all(@Context ContainerRequestContext request) {
        Guard.checkOperator(request);
        return Page.whole(users.all());
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Users.NewUser add(
            @Nullable UserSpec body, @Context ContainerRequestContext request, @Context HttpServletRequest raw)
            throws IOException {
        String name = body == null || body.name() == null ? "" : body.name();
        String label = body == null || body.role() == null ? "" : body.role();
        Role role = Role.of(label)
                .orElseThrow(() -> Refusal.badRequest("role '" + label + "' is neither viewer nor operator"));
        return changes.make(request, raw, "add user", name + ", " + role.label(), () -> users.add(name, role));
    }

    @DELETE
    @Path("{name}")
    public Response remove(
            @PathParam("name") String name, @Context ContainerRequestContext request, @Context HttpServletRequest raw)
            throws IOException {
        if (Guard.session(request).user().name().equals(name)) {
            throw Refusal.conflict("nobody removes himself");
        }
        return changes.make(request, raw, "remove user", name, () -> {
            users.remove(name);
            sessions.endOf(name);
            return Response.noContent().build();
        });
    }
}

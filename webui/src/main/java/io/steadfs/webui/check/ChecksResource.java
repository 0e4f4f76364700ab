package io.steadfs.webui.check;

import io.steadfs.fsck.FindingKind;
import io.steadfs.fsck.RepairWords;
import io.steadfs.webui.list.Asked;
import io.steadfs.webui.list.Page;
import io.steadfs.webui.login.Changes;
import io.steadfs.webui.login.Guard;
import io.steadfs.webui.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serves the checks of the file system. Users can start a check, see its progress, pause or cancel the check, and read
 * its findings.
 */
@Path("fsck")
@Produces(MediaType.APPLICATION_JSON)
public final class ChecksResource {
    private static final long MOST_RATE = 10_000_000;
    private static final String CONFIRM = "repair";

    private final Runs runs;
    private final Changes changes;

    public ChecksResource(Runs runs, Changes changes) {
        this.runs = runs;
        this.changes = changes;
    }

    /**
     * A kind of findings.
     *
     * @param repair how a finding of this kind is repaired
     * @param byDefault whether the repair keeps all data of files
     */
    public record Kind(String kind, String meaning, String repair, boolean byDefault) {
        static Kind of(FindingKind kind) {
            return new Kind(
                    kind.label(),
                    kind.meaning(),
                    RepairWords.of(kind),
                    !FindingKind.givingUp().contains(kind));
        }
    }

    /**
     * A request to start a check. By default, a check repairs nothing, compares no bytes, and runs without a limit on
     * its rate.
     */
    public record Start(
            @Nullable List<String> repair,
            @Nullable Boolean scrub,
            @Nullable Long rate,
            @Nullable String confirm) {}

    /** A request to repair findings. */
    public record Mending(
            @Nullable List<String> kinds, @Nullable String confirm) {}

    private interface Step {
        RunState of(String id) throws IOException;
    }

    @GET
    @Path("kinds")
    public Page<Kind> kinds() {
        return Page.whole(Arrays.stream(FindingKind.values()).map(Kind::of).toList());
    }

    @GET
    @Path("runs")
    public Page<RunView> list(
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("q") @Nullable String search)
            throws IOException {
        Asked asked = Asked.of(limit, cursor, search);
        if (!asked.cursor().isEmpty() && !asked.cursor().matches("[0-9]{1,18}")) {
            throw Refusal.badRequest("cursor: '" + asked.cursor() + "' is none of this list");
        }
        long before = asked.cursor().isEmpty() ? 0 : Long.parseLong(asked.cursor());
        Page<RunState> page = asked.page(
                runs.before(before).iterator(),
                run -> asked.finds(run.id(), run.state().label(), run.startedBy(), String.join(" ", run.repair())),
                RunState::id);
        List<RunView> views = new ArrayList<>();
        for (RunState run : page.items()) {
            views.add(view(run));
        }
        return new Page<>(views, page.next(), page.total());
    }

    private RunView view(RunState run) throws IOException {
        return RunView.of(run, runs.look(run), runs.counts(run));
    }

    @GET
    @Path("runs/{id}")
    public Object one(@PathParam("id") String id) throws IOException {
        return view(runs.get(id));
    }

    @POST
    @Path("runs")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response start(
            @Nullable Start body, @Context ContainerRequestContext request, @Context HttpServletRequest raw)
            throws IOException {
        if (body == null) {
            throw Refusal.badRequest("a body is needed; {} for a check that only looks");
        }
        Set<FindingKind> kinds = kinds("repair", body.repair());
        if (!kinds.isEmpty() && !CONFIRM.equals(body.confirm())) {
            throw Refusal.badRequest("confirm: must be '" + CONFIRM + "', since this repairs");
        }
        long rate = body.rate() == null ? 0 : body.rate();
        if (rate < 0 || rate > MOST_RATE) {
            throw Refusal.badRequest("rate: " + rate + " is not in 0 to " + MOST_RATE);
        }
        boolean scrub = body.scrub() != null && body.scrub();
        String by = Guard.session(request).user().name();
        RunState run = changes.make(
                request,
                raw,
                "start check",
                words(kinds) + (scrub ? ", scrub" : ""),
                () -> runs.start(kinds, scrub, rate, by));
        return Response.created(URI.create("fsck/runs/" + run.id()))
                .entity(view(run))
                .build();
    }

    private static String words(Set<FindingKind> kinds) {
        return kinds.isEmpty()
                ? "look"
                : "repair "
                        + String.join(
                                " ", kinds.stream().map(FindingKind::label).toList());
    }

    private static Set<FindingKind> kinds(String field, @Nullable List<String> labels) {
        Set<FindingKind> kinds = EnumSet.noneOf(FindingKind.class);
        for (String label : labels == null ? List.<String>of() : labels) {
            kinds.add(kind(field, label));
        }
        return kinds;
    }

    private static FindingKind kind(String field, @Nullable String label) {
        return Optional.ofNullable(label)
                .flatMap(FindingKind::of)
                .orElseThrow(() -> Refusal.badRequest(field + ": there is no kind '" + label + "'"));
    }

    @POST
    @Path("runs/{id}/pause")
    public Object pause(
            @PathParam("id") String id, @Context ContainerRequestContext request, @Context HttpServletRequest raw)
            throws IOException {
        return step(request, raw, "pause check", id, runs::pause);
    }

    @POST
    @Path("runs/{id}/resume")
    public Object resume(
            @PathParam("id") String id, @Context ContainerRequestContext request, @Context HttpServletRequest raw)
            throws IOException {
        return step(request, raw, "resume check", id, runs::resume);
    }

    @POST
    @Path("runs/{id}/cancel")
    public Object cancel(
            @PathParam("id") String id, @Context ContainerRequestContext request, @Context HttpServletRequest raw)
            throws IOException {
        return step(request, raw, "cancel check", id, runs::cancel);
    }

    private RunView step(ContainerRequestContext request, HttpServletRequest raw, String action, String id, Step step)
            throws IOException {
        return view(changes.make(request, raw, action, id, () -> step.of(id)));
    }

    @POST
    @Path("runs/{id}/repair")
    @Consumes(MediaType.APPLICATION_JSON)
    public Object repair(
            @PathParam("id") String id,
            @Nullable Mending body,
            @Context ContainerRequestContext request,
            @Context HttpServletRequest raw)
            throws IOException {
        Set<FindingKind> kinds = kinds("kinds", body == null ? null : body.kinds());
        if (body == null || kinds.isEmpty()) {
            throw Refusal.badRequest("kinds: none are named");
        }
        if (!CONFIRM.equals(body.confirm())) {
            throw Refusal.badRequest("confirm: must be '" + CONFIRM + "'");
        }
        return step(request, raw, "repair findings: " + words(kinds), id, each -> runs.repair(each, kinds));
    }

    @GET
    @Path("runs/{id}/findings")
    public Object findings(
            @PathParam("id") String id,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("q") @Nullable String search,
            @QueryParam("pass") @Nullable String pass,
            @QueryParam("kind") @Nullable String kind)
            throws IOException {
        RunState run = runs.get(id);
        Optional<Integer> asked = pass == null || pass.isEmpty() ? Optional.empty() : Optional.of(pass(pass, run));
        return new Findings(runs, run)
                .page(
                        Asked.of(limit, cursor, search),
                        asked,
                        kind == null || kind.isEmpty() ? Optional.empty() : Optional.of(kind("kind", kind)));
    }

    private static int pass(String text, RunState run) {
        int pass = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
        if (pass < 1 || pass > run.pass()) {
            throw Refusal.badRequest("pass: '" + text + "' is not in 1 to " + run.pass());
        }
        return pass;
    }

    @GET
    @Path("runs/{id}/findings.csv")
    @Produces("text/csv; charset=utf-8")
    public Response csv(@PathParam("id") String id) {
        Findings findings = new Findings(runs, runs.get(id));
        return download("check-" + id + ".csv", out -> Downloads.csv(findings, out));
    }

    @GET
    @Path("runs/{id}/findings.json")
    public Response json(@PathParam("id") String id) {
        Findings findings = new Findings(runs, runs.get(id));
        return download("check-" + id + ".json", out -> Downloads.json(findings, out));
    }

    private static Response download(String name, StreamingOutput content) {
        return Response.ok(content)
                .header("Content-Disposition", "attachment; filename=\"" + name + "\"")
                .build();
    }
}

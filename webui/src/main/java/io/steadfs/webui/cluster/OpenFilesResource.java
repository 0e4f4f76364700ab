package io.steadfs.webui.cluster;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.webui.list.Asked;
import io.steadfs.webui.problem.Refusal;
import io.steadfs.wire.proto.ListOpenFilesReply;
import io.steadfs.wire.proto.OpenFile;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Files that are open for writing, and their writers, shard by shard. */
@Path("open-files")
@Produces(MediaType.APPLICATION_JSON)
public final class OpenFilesResource {
    private static final Pattern CURSOR = Pattern.compile("(?<shard>[0-9]{1,5})/(?<place>(?:[0-9a-f]{2}){0,100})");
    private static final HexFormat HEX = HexFormat.of();
    /** The time for shards that do not answer. One such shard does not hold up the others for longer. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(4);
    /** The most rows looked at for one answer. A search that finds less continues with the next answer. */
    private static final int MOST_LOOKED = 20_000;
    /** The most questions to shards for one answer. A caller may ask for pages with few rows. */
    private static final int MOST_ASKED = 50;

    private final Cluster cluster;

    public OpenFilesResource(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * An open file.
     *
     * @param path under which it was opened; empty if its writer named none
     * @param openedAt milliseconds since 1970; null if that is unknown
     * @param length bytes that readers see
     * @param session name for people of the session that writes it
     * @param client the session's host, process and name
     */
    public record Open(
            String file,
            String path,
            String user,
            String client,
            String session,
            @Nullable Long openedAt,
            long length,
            int shard) {
        static Open of(int shard, OpenFile file) {
            return new Open(
                    new Handle(file.getMetafile()).toString(),
                    file.getPath(),
                    file.getUser(),
                    file.getClient(),
                    file.getSession(),
                    file.getOpenedMillis() == 0 ? null : file.getOpenedMillis(),
                    file.getLength(),
                    shard);
        }
    }

    @GET
    public LeasesResource.Told<Open> list(
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("q") @Nullable String search)
            throws FsException {
        Asked asked = Asked.of(limit, cursor, search);
        int shard = 0;
        ByteString place = ByteString.EMPTY;
        if (!asked.cursor().isEmpty()) {
            Matcher matcher = CURSOR.matcher(asked.cursor());
            if (!matcher.matches()) {
                throw foreign(asked);
            }
            shard = Integer.parseInt(matcher.group("shard"));
            place = ByteString.copyFrom(HEX.parseHex(matcher.group("place")));
        }
        List<Open> items = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        int looked = 0;
        int questions = 0;
        long began = System.nanoTime();
        int shards = cluster.shards();
        while (shard < shards) {
            if (isFull(asked, items) || looked >= MOST_LOOKED || questions >= MOST_ASKED) {
                return new LeasesResource.Told<>(
                        items, shard + "/" + HEX.formatHex(place.toByteArray()), null, problems);
            }
            if (!problems.isEmpty() && System.nanoTime() - began > MOST_NANOS) {
                problems.add("shard " + shard + " was not asked: those before it took too long to say nothing");
                shard++;
                continue;
            }
            int rows = asked.limit() - items.size();
            try {
                questions++;
                ListOpenFilesReply page = cluster.openFiles(shard, place, rows);
                for (OpenFile file : page.getFilesList()) {
                    Open open = Open.of(shard, file);
                    if (finds(asked, open)) {
                        items.add(open);
                    }
                }
                looked += rows;
                place = page.getNext();
            } catch (FsException e) {
                if (e.error() == FsError.INVALID_ARGUMENT && !place.isEmpty()) {
                    throw foreign(asked);
                }
                problems.add(String.valueOf(e.getMessage()));
                place = ByteString.EMPTY;
            }
            shard += place.isEmpty() ? 1 : 0;
        }
        return new LeasesResource.Told<>(items, null, null, problems);
    }

    /** Servers cut pages by rows. So a search that found something ends here, because it would continue with pages of few rows. */
    private static boolean isFull(Asked asked, List<Open> items) {
        return items.size() == asked.limit() || (!asked.search().isEmpty() && !items.isEmpty());
    }

    private static boolean finds(Asked asked, Open each) {
        return asked.finds(each.file(), each.path(), each.user(), each.client(), each.session());
    }

    private static Refusal foreign(Asked asked) {
        return Refusal.badRequest(
                "cursor: '" + asked.cursor() + "' is none of this list, or a shard was started since: begin anew");
    }
}

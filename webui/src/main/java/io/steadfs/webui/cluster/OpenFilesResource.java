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

/** Serves the files that are open for writing, and their writers. The list is ordered by shard. */
@Path("open-files")
@Produces(MediaType.APPLICATION_JSON)
public final class OpenFilesResource {
    private static final Pattern CURSOR = Pattern.compile("(?<shard>[0-9]{1,5})/(?<place>(?:[0-9a-f]{2}){0,100})");
    private static final HexFormat HEX = HexFormat.of();
    /**
     * The longest time for which one request may wait for shards that do not answer. If a shard has failed and this
     * time is over, the method asks no further shard.
     */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(4);
    /**
     * The largest number of rows that one answer looks at. If a search reaches this limit, the answer contains a cursor
     * for the next request.
     */
    private static final int MOST_LOOKED = 20_000;
    /**
     * The largest number of requests to shards for one answer. The limit is needed because a client may ask for pages
     * with few rows.
     */
    private static final int MOST_ASKED = 50;

    private final Cluster cluster;

    public OpenFilesResource(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * An open file.
     *
     * @param path path under which the writer opened the file; empty if the writer named no path
     * @param openedAt milliseconds since 1970; null if the time is unknown
     * @param length length in bytes that readers see
     * @param session name of the writing session, for people
     * @param client host, process and name of the writing session
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

    /**
     * Whether the method stops and returns the found files. A search stops after the first page that contains a match.
     * If a search went on, each further page could have only the few rows that the answer still lacks. The search would
     * then need many requests.
     */
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

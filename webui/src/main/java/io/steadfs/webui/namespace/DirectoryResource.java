package io.steadfs.webui.namespace;

import com.google.protobuf.ByteString;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
import io.steadfs.path.FsPath;
import io.steadfs.path.LinkTarget;
import io.steadfs.webui.list.Asked;
import io.steadfs.webui.problem.Refusal;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves the names in a directory page by page, and the places where the shards store the names. */
@Path("directory")
@Produces(MediaType.APPLICATION_JSON)
public final class DirectoryResource {
    /** The most pages that shards are asked for one answer. With fewer names than asked for, there is a next page. */
    private static final int MOST_PAGES = 64;

    private static final Pattern CURSOR = Pattern.compile("([0-9a-f]{2}){1,64}");

    private final Directories directories;

    public DirectoryResource(Directories directories) {
        this.directories = directories;
    }

    /**
     * An entry of a directory.
     *
     * @param type "directory", "file" or "link", which is a symbolic link
     * @param target target of a symbolic link, as its maker wrote it; null for a directory or file
     * @param length length in bytes; 0 for directories
     * @param mode permission bits, at most 07777
     * @param modifiedAt milliseconds since 1970
     */
    public record Item(
            String name,
            String type,
            @Nullable String target,
            String handle,
            long length,
            String owner,
            String group,
            int mode,
            long modifiedAt) {
        static Item of(Entry entry) {
            FileInfo info = entry.info();
            return new Item(
                    entry.name(),
                    info.directory() ? "directory" : info.linkTarget().isPresent() ? "link" : "file",
                    info.linkTarget().orElse(null),
                    info.handle().toString(),
                    info.length(),
                    info.owner(),
                    info.group(),
                    info.mode(),
                    info.modificationTime());
        }
    }

    /**
     * A directory, and a page of its entries. The entries have the order in which the shards store them.
     *
     * @param server name of the server that hosts the directory's shard; null if no server hosts the shard
     * @param total always null, because no server counts the entries
     */
    public record Told(
            String path,
            String handle,
            int shard,
            @Nullable String server,
            List<Directories.Partition> partitions,
            List<Item> items,
            @Nullable String next,
            @Nullable Long total,
            List<String> problems) {}

    @GET
    public Object list(
            @QueryParam("path") @Nullable String path,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor)
            throws FsException {
        Asked asked = Asked.of(limit, cursor, null);
        if (!asked.cursor().isEmpty() && !CURSOR.matcher(asked.cursor()).matches()) {
            throw Refusal.badRequest("cursor: '" + asked.cursor() + "' is none of this list");
        }
        FsPath at = behindLinks(path(path == null || path.isEmpty() ? "/" : path));
        FileInfo info = directories.info(at);
        if (!info.directory()) {
            throw Refusal.badRequest("path: " + at + " is no directory, but a file");
        }
        ListPage page = page(at, ByteString.copyFrom(HexFormat.of().parseHex(asked.cursor())), asked.limit());
        Directories.Partitions partitions = directories.partitions(at);
        return new Told(
                at.toString(),
                info.handle().toString(),
                info.handle().shard(),
                directories.host(info.handle().shard()),
                partitions.partitions(),
                page.entries().stream().map(Item::of).toList(),
                page.cursor().isEmpty()
                        ? null
                        : HexFormat.of().formatHex(page.cursor().toByteArray()),
                null,
                partitions.problems());
    }

    /** A page of entries. A shard's page ends with a partition, so several pages make one. */
    private ListPage page(FsPath at, ByteString from, int limit) throws FsException {
        List<Entry> entries = new ArrayList<>();
        ByteString cursor = from;
        int asked = 0;
        do {
            ListPage page = directories.list(at, cursor, limit - entries.size());
            entries.addAll(page.entries());
            cursor = page.cursor();
            asked++;
        } while (!cursor.isEmpty() && entries.size() < limit && asked < MOST_PAGES);
        return new ListPage(entries, cursor);
    }

    /** The path behind all symbolic links on the path. */
    private FsPath behindLinks(FsPath path) throws FsException {
        FsPath at = path;
        for (int links = 0; links <= LinkTarget.MOST_FOLLOWED; links++) {
            try {
                directories.info(at);
                return at;
            } catch (LinkException link) {
                if (!LinkTarget.isPath(link.target())) {
                    throw Refusal.badRequest("path: " + link.words() + ", which is in another file system");
                }
                at = LinkTarget.goOn(at, link, link.target());
            }
        }
        throw Refusal.badRequest(
                "path: " + path + " leads through more than " + LinkTarget.MOST_FOLLOWED + " symbolic links");
    }

    private static FsPath path(String text) {
        if (!text.startsWith("/")) {
            throw Refusal.badRequest("path: '" + text + "' does not begin with '/'");
        }
        try {
            return FsPath.parse(text);
        } catch (FsException e) {
            throw Refusal.badRequest("path: " + e.getMessage());
        }
    }
}

package io.steadfs.webui.namespace;

import io.steadfs.error.FsException;
import io.steadfs.webui.list.Asked;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serves the directories in which most names are made, and the splits and merges of partitions that are under way. */
@Path("partitions")
@Produces(MediaType.APPLICATION_JSON)
public final class PartitionsResource {
    private static final int USUAL = 20;

    private final Directories directories;

    public PartitionsResource(Directories directories) {
        this.directories = directories;
    }

    /** @param problems one line for each shard that did not answer */
    public record Told(
            List<Directories.HotDirectory> directories, List<Directories.HandOver> handOvers, List<String> problems) {}

    @GET
    public Told activity(@QueryParam("limit") @Nullable String limit) throws FsException {
        Directories.Activity activity = directories.activity(
                limit == null ? USUAL : Asked.of(limit, null, null).limit());
        return new Told(activity.directories(), activity.handOvers(), activity.problems());
    }
}

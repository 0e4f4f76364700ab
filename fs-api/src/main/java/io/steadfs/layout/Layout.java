package io.steadfs.layout;

import io.steadfs.handle.Handle;
import java.util.List;

/**
 * How one file's bytes are spread. Column c of copy r is at index {@code r * width + c} of both lists.
 *
 * @param striping strip size and width
 * @param replicas copies of each column
 * @param servers IO server ids, width x replicas: where a column's datafile is made by its first write
 * @param datafiles handles, width x replicas; {@link Handle#NONE} where the column has no datafile yet
 * @param version rises with every change of the lists
 */
public record Layout(Striping striping, int replicas, List<Integer> servers, List<Handle> datafiles, long version) {
    /** Most columns of a file that a shard grants. */
    public static final int MOST_COLUMNS = 255;

    /** @throws IllegalArgumentException if the lists are not as long as width and copies say */
    public Layout {
        servers = List.copyOf(servers);
        datafiles = List.copyOf(datafiles);
        long columns = (long) striping.width() * replicas;
        if (replicas < 1 || servers.size() != columns || datafiles.size() != columns) {
            throw new IllegalArgumentException("layout of width " + striping.width() + " x " + replicas + " copies has "
                    + servers.size() + " servers and " + datafiles.size() + " datafiles");
        }
    }

    public int width() {
        return striping.width();
    }

    /** Server that holds, or will hold, the column at the index. If the column has a datafile, its handle names the server. */
    public int serverOf(int index) {
        Handle datafile = datafiles.get(index);
        return datafile.isNone() ? servers.get(index) : datafile.owner();
    }
}

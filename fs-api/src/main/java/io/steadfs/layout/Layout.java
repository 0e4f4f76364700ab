package io.steadfs.layout;

import io.steadfs.handle.Handle;
import java.util.List;

/**
 * Says where the bytes of one file are: on which IO servers, and in which datafiles. Column c of copy r is at index
 * {@code r * width + c} of both lists.
 *
 * @param striping strip size and width of the file
 * @param replicas number of copies of each column
 * @param servers ids of IO servers, width x replicas; the first write to a column makes the column's datafile at its
 *     server
 * @param datafiles handles of datafiles, width x replicas; {@link Handle#NONE} for a column that has no datafile yet
 * @param version number that rises with every change of the two lists
 */
public record Layout(Striping striping, int replicas, List<Integer> servers, List<Handle> datafiles, long version) {
    /** Largest number of columns that a shard grants to a file. */
    public static final int MOST_COLUMNS = 255;

    /** @throws IllegalArgumentException if a list does not have width x replicas elements */
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

    /**
     * Id of the IO server that holds the column at the index, or will hold it. If the column has a datafile, the
     * datafile's handle names the server.
     */
    public int serverOf(int index) {
        Handle datafile = datafiles.get(index);
        return datafile.isNone() ? servers.get(index) : datafile.owner();
    }
}

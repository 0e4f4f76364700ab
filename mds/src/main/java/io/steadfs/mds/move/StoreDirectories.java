package io.steadfs.mds.move;

import io.steadfs.disk.DurableDirectories;
import io.steadfs.disk.OwnerOnly;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directories of the stores of a metadata server, below its data directory:
 *
 * <pre>
 *  shard-3      the store of shard 3, which this server hosts
 *  moving-3     a copy of a state of that store, for the server to which the shard moves
 *  arriving-3   a part of the store of a shard that moves to this server
 *  arrived-3    the whole store of that shard, durable. This server may be its host already, or not
 * </pre>
 *
 * An arrived store becomes {@code shard-3} by one rename, after this server has become the host. Only this class removes
 * stores.
 */
public final class StoreDirectories {
    private static final Pattern OF_MOVES = Pattern.compile("(?:shard|moving|arriving|arrived)-(0|[1-9][0-9]{0,2})");

    private final Path directory;

    /** @param directory the data directory of the server */
    public StoreDirectories(Path directory) {
        this.directory = directory;
    }

    /** The store of a shard that this server hosts. */
    public Path of(int shard) {
        return directory.resolve("shard-" + shard);
    }

    public Path moving(int shard) {
        return directory.resolve("moving-" + shard);
    }

    public Path arriving(int shard) {
        return directory.resolve("arriving-" + shard);
    }

    public Path arrived(int shard) {
        return directory.resolve("arrived-" + shard);
    }

    /** The numbers of all shards of which there is any of these directories. */
    public SortedSet<Integer> shards() throws IOException {
        SortedSet<Integer> shards = new TreeSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path each : all) {
                Matcher name = OF_MOVES.matcher(each.getFileName().toString());
                if (name.matches()) {
                    shards.add(Integer.valueOf(name.group(1)));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return shards;
    }

    /** Whether anything has arrived of a shard. */
    public boolean hasArriving(int shard) {
        return Files.exists(arriving(shard)) || Files.exists(arrived(shard));
    }

    /** Makes an empty directory for a store that arrives. What arrived before is removed. */
    public Path beginArriving(int shard) throws IOException {
        removeArriving(shard);
        Path made = arriving(shard);
        DurableDirectories.make(made);
        OwnerOnly.close(made);
        return made;
    }

    /** Notes durably that the whole store is there. Its files must be durable. */
    public void completeArriving(int shard) throws IOException {
        Files.move(arriving(shard), arrived(shard), StandardCopyOption.ATOMIC_MOVE);
        DurableDirectories.sync(directory);
    }

    /**
     * Puts an arrived store in its place, if there is one. An older store of the shard is removed. This server must be the
     * host of the shard.
     */
    public void settleArrived(int shard) throws IOException {
        if (Files.isDirectory(arrived(shard))) {
            remove(of(shard));
            Files.move(arrived(shard), of(shard), StandardCopyOption.ATOMIC_MOVE);
            DurableDirectories.sync(directory);
        }
    }

    /** Removes the copy of a store that moves away. */
    public void removeMoving(int shard) throws IOException {
        remove(moving(shard));
    }

    /** Removes what has arrived of a shard. This server must not be its host. */
    public void removeArriving(int shard) throws IOException {
        remove(arriving(shard));
        remove(arrived(shard));
    }

    /** Removes the store of a shard that has moved to another server, and the copy of it. */
    public void removeGone(int shard) throws IOException {
        remove(moving(shard));
        remove(of(shard));
    }

    /** Removes a directory with its files. Nothing happens if there is no such directory. */
    private void remove(Path store) throws IOException {
        if (!Files.isDirectory(store, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        removeTree(store);
        DurableDirectories.sync(directory);
    }

    private static void removeTree(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> inside = Files.newDirectoryStream(path)) {
                for (Path each : inside) {
                    removeTree(each);
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        }
        Files.deleteIfExists(path);
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}

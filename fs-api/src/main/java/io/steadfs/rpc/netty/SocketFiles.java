package io.steadfs.rpc.netty;

import io.steadfs.config.ConfigKey;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of Unix domain sockets, by which processes of one machine reach each other faster than by TCP. Each server
 * has one file beside its TCP port. A client uses the file of a server if the file is there, and otherwise TCP.
 *
 * <pre>
 *  DIRECTORY / NAMESPACE-ADDRESS-PORT      for example  /tmp/steadfs-1000/4026531840-127.0.0.1-7410
 * </pre>
 *
 * <p>NAMESPACE is the number of the network namespace. So the file says the same as the address and the port: only one
 * living process of the machine can listen there. A process in another network namespace, such as a container, means
 * another server by the same address, and looks for another file. ADDRESS is 0.0.0.0 if the server listens on all
 * addresses of the machine.
 *
 * <p>The directory says who may connect: whoever may enter it. The default directory belongs to one user, and its mode
 * is 0700. Other directories are made by an administrator, and never by this class. Only its owner may write a directory.
 * A client also asks the kernel who listens: the owner of the directory, or root. So nobody else can stand in the place of
 * a server.
 *
 * <p>A server that is killed leaves its file behind. A client that finds nobody there uses TCP. The next server at the
 * same address and port replaces the file.
 */
final class SocketFiles {
    static final ConfigKey<String> DIRECTORY = new ConfigKey<>(
            "stead.rpc.socket.dir",
            "/tmp/steadfs-%u",
            "",
            "Directory of the Unix domain sockets by which processes of one machine reach servers. %u stands for the number"
                    + " of the user; such a directory is made if missing, and used only if it belongs to that user or to"
                    + " root. Clients and servers need the same value, else they use TCP. Empty = TCP alone.",
            SocketFiles::checkedPath);

    private static final Logger LOG = LoggerFactory.getLogger(SocketFiles.class);

    /** The longest path of a socket that Linux takes, without the zero byte at its end. */
    private static final int MOST_BYTES = 107;

    /** Files that are younger stay, because their servers may be about to listen. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    private static final String USER = "%u";
    private static final String ALL_ADDRESSES = "0.0.0.0";
    /** Type of a file, in its mode. */
    private static final int TYPE = 0170000;

    private static final int TYPE_SOCKET = 0140000;
    private static final int TYPE_DIRECTORY = 0040000;
    /** Bits of a mode: group and everybody may write. */
    private static final int OTHERS_WRITE = 0022;

    private static final int ROOT = 0;

    private final Path directory;
    private final String namespace;
    private final int user;
    /** Whether the directory is of one user. */
    private final boolean isOfUser;

    private SocketFiles(Path directory, String namespace, int user, boolean isOfUser) {
        this.directory = directory;
        this.namespace = namespace;
        this.user = user;
        this.isOfUser = isOfUser;
    }

    /** A relative path would mean another directory in each process. */
    private static String checkedPath(String text) {
        if (!text.isEmpty() && !text.startsWith("/")) {
            throw new IllegalArgumentException("is no absolute path");
        }
        return text;
    }

    /**
     * The socket files of a directory; empty = TCP alone.
     *
     * @param configured value of {@link #DIRECTORY}
     */
    static Optional<SocketFiles> in(String configured) {
        if (configured.isEmpty()) {
            return Optional.empty();
        }
        try {
            int user = user();
            Path directory = Path.of(configured.replace(USER, Integer.toUnsignedString(user)));
            String name = Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString();
            return Optional.of(
                    new SocketFiles(directory, name.replaceAll("[^0-9]", ""), user, configured.contains(USER)));
        } catch (IOException | InvalidPathException e) {
            LOG.warn("TCP alone is used: {} is '{}', and {}", DIRECTORY.name(), configured, e.toString());
            return Optional.empty();
        }
    }

    /** Number of the user to whom the files of this process belong. */
    private static int user() throws IOException {
        Path status = Path.of("/proc/self/status");
        for (String line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
            if (line.startsWith("Uid:")) {
                // After the name: the real, the effective, the saved and the file system's user.
                return Integer.parseUnsignedInt(line.split("\\s+", -1)[4]);
            }
        }
        throw new IOException(status + " names no user");
    }

    // ---- servers

    /**
     * The file for a server that listens at the address. Makes the directory if it is of one user, and removes the file
     * that an earlier server at the address left behind. The caller must hold the TCP port.
     *
     * @throws IOException if there can be no such file; the message says why
     */
    Path prepare(InetSocketAddress listening) throws IOException {
        InetAddress address = listening.getAddress();
        Path file = file(address.isAnyLocalAddress() ? ALL_ADDRESSES : address.getHostAddress(), listening.getPort());
        int bytes = file.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BYTES) {
            throw new IOException(file + " has " + bytes + " bytes, and the path of a socket at most " + MOST_BYTES);
        }
        if (isOfUser) {
            makeDirectory();
        }
        checkedOwner();
        if (isOfUser) {
            removeDead(namespace + "-*", YOUNG);
        }
        if (address.isAnyLocalAddress()) {
            // A client would find the file of an earlier server at one of the addresses first.
            removeDead(namespace + "-*-" + listening.getPort(), Duration.ZERO);
        }
        removeSocket(file);
        return file;
    }

    private void makeDirectory() throws IOException {
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            LOG.trace("{} is there", directory);
        } catch (IOException e) {
            throw new IOException(directory + " cannot be made: " + e, e);
        }
    }

    private static void removeSocket(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!isSocket(file)) {
            throw new IOException(file + " is there, and is no socket");
        }
        Files.deleteIfExists(file);
    }

    private static boolean isSocket(Path file) throws IOException {
        int mode = (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return (mode & TYPE) == TYPE_SOCKET;
    }

    /**
     * Removes files at which nobody listens. Otherwise the files of killed servers would
     * pile up, where servers listen on any free port. Should a server begin to listen at an old file at the same moment,
     * its file may be lost; then clients reach that server by TCP.
     *
     * @param names pattern of the names of the files
     * @param young files that are younger stay
     */
    private void removeDead(String names, Duration young) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, names)) {
            for (Path file : files) {
                if (isDead(file, young)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("dead sockets stay in {}", directory, e);
        }
    }

    private static boolean isDead(Path file, Duration young) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            Instant begun =
                    Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
            if (!isSocket(file) || begun.isAfter(Instant.now().minus(young))) {
                return false;
            }
            // So a server that is too busy to accept does not hold up this one.
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(file));
            return false;
        } catch (ConnectException e) {
            LOG.trace("nobody listens at {}", file, e);
            return true;
        } catch (IOException e) {
            LOG.debug("{} stays", file, e);
            return false;
        }
    }

    /** Lets all connect who may enter the directory. Only its owner may replace the file, so the file is the server's. */
    void share(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    // ---- clients

    /**
     * A file at which a server may listen.
     *
     * @param owner number of the user to whom the file's directory belongs
     */
    record Found(Path path, int owner) {
        /** Whether a process of this user may be the server. Nobody else could put a socket into the directory. */
        boolean mayBeOf(int serversUser) {
            return serversUser == owner || serversUser == ROOT;
        }
    }

    /**
     * The file of the server at the address; empty if there is none, and for the address of another machine. A server
     * that died leaves its file behind, so nobody may listen there. Looks at files and network interfaces, and so must
     * not be called on an event loop.
     */
    Optional<Found> find(InetSocketAddress server) {
        try {
            if (!isHere(server.getAddress())) {
                return Optional.empty();
            }
            Path own = file(server.getAddress().getHostAddress(), server.getPort());
            Path all = file(ALL_ADDRESSES, server.getPort());
            Path found = Files.exists(own) ? own : all;
            return Files.exists(found) ? Optional.of(new Found(found, checkedOwner())) : Optional.empty();
        } catch (IOException e) {
            LOG.debug("no socket file for {}", server, e);
            return Optional.empty();
        }
    }

    private static boolean isHere(InetAddress address) throws IOException {
        return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    }

    private Path file(String address, int port) {
        return directory.resolve(namespace + "-" + address + "-" + port);
    }

    /**
     * The number of the user to whom the directory belongs. Refuses a directory in which others could put sockets. Looks
     * at the directory once, and at no directory that a link names, since others could change a link between two looks.
     */
    private int checkedOwner() throws IOException {
        Map<String, Object> found;
        try {
            found = Files.readAttributes(directory, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw new IOException(directory + " is not there", e);
        }
        int mode = (int) Objects.requireNonNull(found.get("mode"));
        int owner = (int) Objects.requireNonNull(found.get("uid"));
        if ((mode & TYPE) != TYPE_DIRECTORY) {
            throw new IOException(directory + " is no directory");
        }
        if ((mode & OTHERS_WRITE) != 0) {
            throw new IOException(directory + " may be written by others than its owner");
        }
        if (isOfUser && owner != ROOT && owner != user) {
            throw new IOException(directory + " belongs to user " + Integer.toUnsignedString(owner) + ", not to user "
                    + Integer.toUnsignedString(user));
        }
        return owner;
    }
}

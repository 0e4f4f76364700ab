package io.steadfs.secret;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.hello.ClusterSecret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the file with the cluster secret. Only the owner of the file may read the file. The file has one or two lines:
 *
 * <pre>
 *   3f0c... 64 hexadecimal digits     the key by which a server proves its identity
 *   91ab... 64 hexadecimal digits     optional: also accepted, during a change of the secret
 * </pre>
 *
 * <p>When a running server needs the secret, it checks whether the file has changed, at most once a second. If the
 * server cannot use the new file, it logs a warning and keeps the old secret.
 */
public final class SecretFile implements Supplier<ClusterSecret> {
    public static final ConfigKey<Path> FILE = new ConfigKey<>(
            "stead.cluster.secret.file",
            "~/.stead/cluster.secret",
            "",
            "File with the secret by which servers know each other; the same on all of them, readable by its owner alone."
                    + " stead format makes it. ~ is the home directory of the user.",
            SecretFile::path);

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(FILE));

    private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int DIGITS = 2 * ClusterSecret.BYTES;
    private static final long MOST_BYTES = 1024;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OF_OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE);

    private final Path file;
    private Read known;
    private long lookedNanos = System.nanoTime();

    /** The secret in the file, with a stamp that differs after each change of the file. */
    private record Read(ClusterSecret secret, Stamp stamp) {}

    private record Stamp(FileTime modified, long bytes, String key) {}

    private SecretFile(Path file, Read known) {
        this.file = file;
        this.known = known;
    }

    private static Path path(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("names no file");
        }
        return text.startsWith("~/") ? Path.of(System.getProperty("user.home"), text.substring(2)) : Path.of(text);
    }

    /**
     * Reads the file.
     *
     * @throws IOException naming the file if it does not exist, other users may read it, or it has no valid secret
     */
    public static SecretFile open(Path file) throws IOException {
        return new SecretFile(file, read(file));
    }

    /**
     * Writes a new random secret if the file does not exist. The file is durable on return.
     *
     * @return whether this call made the file
     */
    public static boolean makeIfMissing(Path file) throws IOException {
        if (Files.exists(file)) {
            return false;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IOException("the cluster secret cannot be written to " + file);
        }
        DurableDirectories.make(directory);
        byte[] key = new byte[ClusterSecret.BYTES];
        new SecureRandom().nextBytes(key);
        byte[] text = (HexFormat.of().formatHex(key) + "\n").getBytes(StandardCharsets.UTF_8);
        Path fresh = Files.createTempFile(
                directory, file.getFileName() + ".", ".new", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        try {
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                ByteBuffer rest = ByteBuffer.wrap(text);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
                channel.force(true);
            }
            // Another process may have made the file in between. A link then fails, but a move would replace that file.
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.deleteIfExists(fresh);
        }
        DurableDirectories.sync(directory);
        return true;
    }

    /** The present secret. If the file has changed, the secret is first read again from the file. */
    @Override
    public synchronized ClusterSecret get() {
        long now = System.nanoTime();
        if (now - lookedNanos >= LOOK_NANOS) {
            lookedNanos = now;
            try {
                if (!stamp(file).equals(known.stamp())) {
                    known = read(file);
                    LOG.info("the cluster secret was read again from {}", file);
                }
            } catch (IOException e) {
                LOG.warn("the cluster secret that was read before stands: {}", e.getMessage());
            }
        }
        return known.secret();
    }

    private static Read read(Path file) throws IOException {
        try {
            Stamp stamp = stamp(file);
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (permissions.stream().anyMatch(OF_OTHERS::contains)) {
                throw new IOException("the cluster secret " + file + " has mode "
                        + PosixFilePermissions.toString(permissions)
                        + ": only its owner may read it (chmod 600 " + file + ")");
            }
            if (stamp.bytes() > MOST_BYTES) {
                throw new IOException("the cluster secret " + file + " has " + stamp.bytes() + " bytes, at most "
                        + MOST_BYTES + " are expected");
            }
            return new Read(parse(file, Files.readString(file)), stamp);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "there is no cluster secret at " + file + " (" + FILE.name()
                            + "): stead format makes it, and each server needs the same one",
                    e);
        }
    }

    private static Stamp stamp(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(attributes.lastModifiedTime(), attributes.size(), String.valueOf(attributes.fileKey()));
    }

    /** Parses the file's content. Messages of errors must not show the content. */
    private static ClusterSecret parse(Path file, String text) throws IOException {
        List<byte[]> keys = new ArrayList<>();
        for (String line :
                text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList()) {
            if (line.length() != DIGITS || !line.chars().allMatch(HexFormat::isHexDigit)) {
                throw new IOException("the cluster secret " + file + " has a line that is not " + DIGITS
                        + " hexadecimal digits: line " + (keys.size() + 1));
            }
            keys.add(HexFormat.of().parseHex(line));
        }
        try {
            return new ClusterSecret(keys);
        } catch (IllegalArgumentException e) {
            throw new IOException("the cluster secret " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** The path of the file, without the secret. */
    @Override
    public String toString() {
        return file.toString();
    }
}

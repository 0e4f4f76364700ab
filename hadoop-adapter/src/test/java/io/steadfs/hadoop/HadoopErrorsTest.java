package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.hadoop.HadoopErrors.Purpose;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HadoopErrorsTest {
    private static final Map<FsError, Class<?>> LOOK_UP = new EnumMap<>(Map.ofEntries(
            Map.entry(FsError.NOT_FOUND, FileNotFoundException.class),
            Map.entry(FsError.ALREADY_EXISTS, FileAlreadyExistsException.class),
            Map.entry(FsError.NOT_A_DIRECTORY, FileNotFoundException.class),
            Map.entry(FsError.IS_A_DIRECTORY, FileNotFoundException.class),
            Map.entry(FsError.NOT_EMPTY, PathIsNotEmptyDirectoryException.class),
            Map.entry(FsError.PERMISSION_DENIED, AccessControlException.class),
            Map.entry(FsError.NAME_TOO_LONG, FileNotFoundException.class),
            Map.entry(FsError.NOT_SUPPORTED, UnsupportedOperationException.class),
            Map.entry(FsError.TIMED_OUT, SocketTimeoutException.class),
            Map.entry(FsError.CONNECTION_LOST, SocketException.class),
            Map.entry(FsError.UNREACHABLE, ConnectException.class),
            Map.entry(FsError.UNKNOWN_HOST, UnknownHostException.class),
            Map.entry(FsError.NOT_STEADFS, IOException.class),
            Map.entry(FsError.CANCELLED, InterruptedIOException.class),
            Map.entry(FsError.NO_SPACE, DiskOutOfSpaceException.class),
            Map.entry(FsError.CORRUPT, ChecksumException.class)));

    /** What differs for who makes a new name. */
    private static final Map<FsError, Class<?>> MAKE_ENTRY = Map.of(
            FsError.NAME_TOO_LONG, PathIOException.class,
            FsError.NOT_A_DIRECTORY, ParentNotDirectoryException.class,
            FsError.IS_A_DIRECTORY, FileAlreadyExistsException.class);

    @Test
    void everyErrorHasItsException() {
        for (FsError error : FsError.values()) {
            Class<?> looking = LOOK_UP.getOrDefault(error, PathIOException.class);
            assertThat(classOf(translated(error, Purpose.LOOK_UP)))
                    .as("%s", error)
                    .isEqualTo(looking);
            assertThat(classOf(translated(error, Purpose.MAKE_ENTRY)))
                    .as("%s, making an entry", error)
                    .isEqualTo(MAKE_ENTRY.getOrDefault(error, looking));
        }
    }

    /** The one that programs can name: ours are private. */
    private static Class<?> classOf(Throwable thrown) {
        Class<?> named = thrown.getClass();
        return named.getName().startsWith("io.steadfs.") ? named.getSuperclass() : named;
    }

    @ParameterizedTest
    @EnumSource(FsError.class)
    void eachErrorIsToldOnce(FsError error) {
        for (Purpose purpose : Purpose.values()) {
            String message = String.valueOf(translated(error, purpose).getMessage());
            assertThat(message).containsOnlyOnce("/a/b");
            if (error != FsError.NOT_EMPTY) {
                assertThat(message).containsOnlyOnce("why").containsOnlyOnce(error.toString());
            }
        }
    }

    @Test
    void messageAndCauseAreKept() {
        Throwable translated = translated(FsError.FILE_OPEN, Purpose.LOOK_UP);
        assertThat(translated).hasMessageContaining("/a/b").hasMessageContaining("FILE_OPEN: why");
        assertThat(translated.getCause()).isInstanceOf(FsException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            stead://h:1/a/b | /a/b does not exist         | stead://h:1/a/b: NOT_FOUND: does not exist
            stead://h:1/a/b | /a/b: stat not done in time | stead://h:1/a/b: NOT_FOUND: stat not done in time
            stead://h:1/a/b | /a/bc does not exist        | stead://h:1/a/b: NOT_FOUND: /a/bc does not exist
            stead://h:1/a/b | /a/b                        | stead://h:1/a/b: NOT_FOUND
            stead://h:1/    | / does not exist            | stead://h:1/: NOT_FOUND: does not exist
            /a/b            | /a/b does not exist         | /a/b: NOT_FOUND: does not exist
            cluster map     | no server answers           | cluster map: NOT_FOUND: no server answers
            """)
    void thePathAndTheErrorAreToldOnce(String path, String words, String message) {
        assertThat(catchThrowable(() -> {
                    throw HadoopErrors.translate(new FsException(FsError.NOT_FOUND, words), path, Purpose.LOOK_UP);
                }))
                .hasMessage(message);
    }

    private static Throwable translated(FsError error, Purpose purpose) {
        return catchThrowable(() -> {
            throw HadoopErrors.translate(new FsException(error, "why"), "/a/b", purpose);
        });
    }
}

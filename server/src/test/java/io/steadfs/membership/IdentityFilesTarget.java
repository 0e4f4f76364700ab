package io.steadfs.membership;

import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Scratch;
import io.steadfs.fuzz.Texts;
import io.steadfs.handle.Handle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Files of a data directory that hold anything: what they say, or a refusal that names the file. */
final class IdentityFilesTarget implements FuzzTarget {
    private static final int OWNER = Handle.FIRST_SHARD_OWNER;
    private static final String ID = "\"9b2f4f5e-0c59-4b7e-a3a1-111111111111\"";

    private final Function<RandomGenerator, byte[]> texts = Texts.inFiles(
            "{\"fileSystem\":" + ID + ",\"server\":\"io-3\",\"store\":" + ID + "}",
            "{\"incarnation\":3,\"ceiling\":100}",
            "null",
            "{}",
            "[[[[",
            "");

    @Override
    public String name() {
        return "identity-files";
    }

    @Override
    public long mostAllocatedBytes(int inputBytes) {
        return (256 << 10) + 512L * inputBytes;
    }

    @Override
    public byte[] input(RandomGenerator random) {
        return texts.apply(random);
    }

    @Override
    public Trial begin() throws Exception {
        return new DirectoryTrial();
    }

    private static final class DirectoryTrial implements Trial {
        private final Path path;
        private final DataDirectory directory;

        DirectoryTrial() throws IOException, MembershipException {
            path = Scratch.directory("identity");
            directory = DataDirectory.open(path);
        }

        @Override
        public void feed(byte[] input) throws IOException {
            Path identity = path.resolve("identity.json");
            Files.write(identity, input);
            try {
                Optional<StoreIdentity> read = directory.identity();
                if (read.isEmpty()) {
                    throw new AssertionError("a file that is there is not read");
                }
            } catch (MembershipException refused) {
                checkNamed(refused, identity);
            }
            Path sequence = path.resolve(String.format("sequence-%04x.json", OWNER));
            Files.write(sequence, input);
            try {
                SequenceRecord record = directory.sequence(OWNER);
                Handle.of(OWNER, record.incarnation(), Math.max(1, Math.min(record.ceiling(), Handle.MAX_SEQUENCE)));
            } catch (MembershipException refused) {
                checkNamed(refused, sequence);
            }
        }

        private static void checkNamed(MembershipException refused, Path file) {
            if (!String.valueOf(refused.getMessage()).contains(file.toString())) {
                throw new AssertionError("a refusal does not name " + file, refused);
            }
        }

        @Override
        public void close() throws IOException {
            directory.close();
            try (Stream<Path> all = Files.walk(path)) {
                List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
                for (Path each : deepestFirst) {
                    Files.delete(each);
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }
}

package io.steadfs.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.list.FileInfo;
import io.steadfs.handle.Handle;
import io.steadfs.lab.torture.Event.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A check that finds nothing shows nothing: what was lost, doubled, half done or shortened must be found. */
class ChecksTest {
    private static final String BASE = OwnPlace.of("c.1", 0, 0).base();
    private static final long NEVER = Event.NEVER;

    private final List<Event> events = new ArrayList<>();
    private final List<Found.Thing> things = new ArrayList<>();

    /** Operation n takes from n * 10 to n * 10 + 5, if it is answered. */
    private void did(Op op, String outcome, String... arguments) {
        did(op, outcome, List.of(arguments), List.of());
    }

    private void did(Op op, String outcome, List<String> arguments, List<String> results) {
        long n = events.size() + 1L;
        long end = outcome.equals(Event.NONE) ? NEVER : n * 10 + 5;
        events.add(new Event("c.1", n, 0, op, arguments, n * 10, end, outcome, results));
    }

    private void wrote(String path, long id, int length) {
        did(Op.CREATE, "OK", path, Long.toString(id), "new");
        did(Op.WRITE, "OK", Long.toString(id), Integer.toString(length));
        did(Op.CLOSE, "OK", Long.toString(id), Integer.toString(length));
    }

    private void is(String path, boolean directory, int mode, Optional<Reading> reading) {
        long number = things.size() + 1L;
        FileInfo info = new FileInfo(
                new Handle(number),
                directory,
                mode,
                "",
                "",
                0,
                0,
                0,
                0,
                0,
                1,
                false,
                0,
                0,
                Optional.empty(),
                Optional.empty());
        things.add(new Found.Thing(path, info, reading));
    }

    private void isDirectory(String path) {
        isDirectory(path, 0755);
    }

    private void isDirectory(String path, int mode) {
        is(path, true, mode, Optional.empty());
    }

    private void isFile(String path, long id, int length) {
        is(path, false, 0644, Optional.of(new Reading(length, id, -1)));
    }

    private List<String> own(boolean crashed) {
        return own(OwnPlace.of("c.1", 0, 0), crashed);
    }

    private List<String> own(OwnPlace place, boolean crashed) {
        OwnCheck check = new OwnCheck(place, (from, until) -> crashed, Found.of(things));
        check.run(events);
        return check.differences();
    }

    private List<String> shared() {
        return shared(false);
    }

    private List<String> shared(boolean crashed) {
        SharedCheck check = new SharedCheck(Found.of(things), (from, until) -> crashed);
        check.run(events);
        return check.differences();
    }

    @Test
    void ownTreeAsAcknowledgedIsRight() {
        did(Op.MKDIR, "OK", BASE + "/d");
        wrote(BASE + "/d/a", 7, 100);
        did(Op.RENAME, "OK", BASE + "/d/a", BASE + "/d/b", "NO_REPLACE");
        did(Op.MKDIR, "ALREADY_EXISTS", BASE + "/d");
        isDirectory(BASE + "/d");
        isFile(BASE + "/d/b", 7, 100);
        assertThat(own(true)).isEmpty();
    }

    @Test
    void ownFileThatIsNotThereIsFound() {
        did(Op.MKDIR, "OK", BASE + "/d");
        wrote(BASE + "/d/a", 7, 100);
        isDirectory(BASE + "/d");
        assertThat(own(false)).singleElement().asString().contains("/d/a is not there");
    }

    @Test
    void ownFileThatIsShorterOrLongerIsFound() {
        did(Op.MKDIR, "OK", BASE + "/d");
        wrote(BASE + "/d/a", 7, 100);
        isDirectory(BASE + "/d");
        isFile(BASE + "/d/a", 7, 99);
        assertThat(own(true)).singleElement().asString().contains("length 100 (closed), found length 99");
    }

    @Test
    void ownFileThatIsAnotherIsFound() {
        did(Op.MKDIR, "OK", BASE + "/d");
        wrote(BASE + "/d/a", 7, 100);
        isDirectory(BASE + "/d");
        isFile(BASE + "/d/a", 8, 100);
        assertThat(own(true)).singleElement().asString().contains("is file 8 and should be file 7");
    }

    @Test
    void ownNameThatNobodyMadeIsFound() {
        did(Op.MKDIR, "OK", BASE + "/d");
        did(Op.DELETE, "OK", BASE + "/d", "recursive");
        isDirectory(BASE + "/d");
        assertThat(own(true)).singleElement().asString().contains("nobody made it");
    }

    @Test
    void refusalOfWhatMustBeDoneIsFound() {
        did(Op.MKDIR, "OK", BASE + "/d");
        did(Op.DELETE, "NOT_FOUND", BASE + "/d", "single");
        isDirectory(BASE + "/d");
        assertThat(own(true)).singleElement().asString().contains("expected it to be done");
    }

    @Test
    void doneThoughItMustBeRefusedIsFound() {
        did(Op.MKDIR, "OK", BASE + "/d");
        did(Op.MKDIR, "OK", BASE + "/d");
        isDirectory(BASE + "/d");
        assertThat(own(true)).singleElement().asString().contains("expected ALREADY_EXISTS, but it was done");
    }

    @Test
    void modesAreAsAcknowledged() {
        did(Op.MKDIR, "OK", BASE + "/d");
        did(Op.MODE, "OK", BASE + "/d", "711");
        isDirectory(BASE + "/d", 0711);
        assertThat(own(true)).isEmpty();
        things.clear();
        isDirectory(BASE + "/d", 0755);
        assertThat(own(true)).singleElement().asString().contains("mode 755 and should have 711");
    }

    @Test
    void whatPassesAClosedDirectoryIsFound() {
        did(Op.MKDIR, "OK", BASE + "/d");
        did(Op.MKDIR, "OK", BASE + "/d/e");
        did(Op.MODE, "OK", BASE + "/d", "600");
        did(Op.MKDIR, "PERMISSION_DENIED", BASE + "/d/f");
        did(Op.STAT, "PERMISSION_DENIED", BASE + "/d/e");
        did(Op.DELETE, "PERMISSION_DENIED", BASE + "/d", "recursive");
        isDirectory(BASE + "/d", 0600);
        isDirectory(BASE + "/d/e");
        assertThat(own(true)).isEmpty();
        did(Op.STAT, "OK", BASE + "/d/e");
        assertThat(own(true)).singleElement().asString().contains("a directory above it was closed");
        events.remove(events.size() - 1);
        did(Op.MKDIR, "OK", BASE + "/d/g");
        assertThat(own(true)).singleElement().asString().contains("expected NOT_FOUND, but it was done");
    }

    @Test
    void unansweredRenameIsWhollyDoneOrNotAtAll() {
        did(Op.MKDIR, "OK", BASE + "/d");
        wrote(BASE + "/d/a", 7, 100);
        did(Op.RENAME, Event.NONE, BASE + "/d", BASE + "/e", "NO_REPLACE");

        isDirectory(BASE + "/d");
        isFile(BASE + "/d/a", 7, 100);
        assertThat(own(true)).as("not done").isEmpty();

        isDirectory(BASE + "/e");
        assertThat(own(true)).as("both names").singleElement().asString().contains("half done");

        things.clear();
        assertThat(own(true)).as("no name").singleElement().asString().contains("half done");

        isDirectory(BASE + "/e");
        isFile(BASE + "/e/a", 7, 100);
        assertThat(own(true)).as("done").isEmpty();
    }

    @Test
    void syncedBytesOutliveCrashesAndFlushedOnesDoNot() {
        did(Op.MKDIR, "OK", BASE + "/d");
        did(Op.CREATE, "OK", BASE + "/d/a", "7", "new");
        did(Op.WRITE, "OK", "7", "50");
        did(Op.HSYNC, "OK", "7", "50");
        did(Op.WRITE, "OK", "7", "80");
        did(Op.HFLUSH, "OK", "7", "80");
        did(Op.CLOSE, "TIMED_OUT", "7", "80");
        isDirectory(BASE + "/d");
        isFile(BASE + "/d/a", 7, 50);
        assertThat(own(true)).isEmpty();
        assertThat(own(false)).singleElement().asString().contains("length 80 to 80");
        things.remove(1);
        isFile(BASE + "/d/a", 7, 49);
        assertThat(own(true)).singleElement().asString().contains("length 50 to 80");
    }

    private void readWasCorrupt(String path, String said) {
        long n = events.size() + 1L;
        events.add(new Event(
                "c.1", n, 0, Op.READ, List.of(path, "7"), n * 10, n * 10 + 5, "CORRUPT", List.of("CORRUPT: " + said)));
    }

    @Test
    void onlyBytesThatWereNotSyncedMayBeMissedByAReaderAndOnlyAfterACrash() {
        String path = BASE + "/d/a";
        did(Op.MKDIR, "OK", BASE + "/d");
        did(Op.CREATE, "OK", path, "7", "new");
        did(Op.HSYNC, "OK", "7", "50");
        did(Op.HFLUSH, "OK", "7", "80");
        readWasCorrupt(path, path + ": file offset 50, datafile 1, IO server 1: the datafile ends at 50, inside");
        isDirectory(BASE + "/d");
        isFile(path, 7, 80);
        assertThat(own(true)).isEmpty();
        assertThat(own(false)).as("no crash").singleElement().asString().contains("damaged bytes");

        readWasCorrupt(path, path + ": file offset 49, datafile 1, IO server 1: the datafile ends at 49, inside");
        assertThat(own(true)).as("synced bytes").singleElement().asString().contains("damaged bytes");
    }

    @Test
    void damageIsFoundWhateverCrashed() {
        String path = BASE + "/d/a";
        did(Op.MKDIR, "OK", BASE + "/d");
        did(Op.CREATE, "OK", path, "7", "new");
        did(Op.HFLUSH, "OK", "7", "80");
        readWasCorrupt(path, path + ": file offset 50, datafile 1, IO server 1: checksum of chunk 0 differs");
        did(Op.CLOSE, "OK", "7", "80");
        readWasCorrupt(path, path + ": file offset 50, datafile 1, IO server 1: the datafile ends at 50, inside");
        isDirectory(BASE + "/d");
        isFile(path, 7, 80);
        assertThat(own(true)).hasSize(2).allMatch(difference -> difference.contains("damaged bytes"));
    }

    @Test
    void sharedBytesMayBeMissedByAReaderOnlyAfterACrash() {
        String path = "/shared/s0/n1";
        wrote(path, 7, 100);
        isFile(path, 7, 100);
        readWasCorrupt(path, path + ": file offset 50, datafile 1, IO server 1: the datafile ends at 50, inside");
        assertThat(shared(true)).isEmpty();
        assertThat(shared(false)).singleElement().asString().contains("damaged bytes");
    }

    @Test
    void wrongByteOfAReadIsFound() {
        did(Op.MKDIR, "OK", BASE + "/d");
        wrote(BASE + "/d/a", 7, 100);
        events.add(new Event("c.1", 9, 0, Op.READ, List.of(BASE + "/d/a", "7"), 900, 905, "OK", List.of("100", "42")));
        isDirectory(BASE + "/d");
        isFile(BASE + "/d/a", 7, 100);
        assertThat(own(true)).singleElement().asString().contains("byte at offset 42");
    }

    @Test
    void sharedFileMayBeGoneOnlyIfSomebodyTookIt() {
        wrote("/shared/s0/n1", 7, 100);
        assertThat(shared()).singleElement().asString().contains("is lost");

        did(Op.DELETE, Event.NONE, "/shared/s0/n1", "single");
        assertThat(shared()).as("perhaps deleted").isEmpty();
    }

    @Test
    void sharedFileDeletedBeforeItWasMadeIsStillThere() {
        did(Op.DELETE, "OK", "/shared/s0/n1", "single");
        wrote("/shared/s0/n1", 7, 100);
        assertThat(shared()).singleElement().asString().contains("is lost");
    }

    @Test
    void sharedFileIsWhereRenamesTookIt() {
        wrote("/shared/s0/n1", 7, 100);
        did(Op.RENAME, "OK", "/shared/s0/n1", "/shared/s1/n2", "NO_REPLACE");
        isFile("/shared/s1/n2", 7, 100);
        assertThat(shared()).isEmpty();

        things.clear();
        isFile("/shared/s0/n1", 7, 100);
        assertThat(shared()).singleElement().asString().contains("does not allow it");

        things.clear();
        assertThat(shared()).singleElement().asString().contains("is lost; expected at one of [/shared/s1/n2]");
    }

    @Test
    void sharedFileThatCameBackIsFound() {
        wrote("/shared/s0/n1", 7, 100);
        did(Op.DELETE, "OK", "/shared/s0/n1", "single");
        isFile("/shared/s0/n1", 7, 100);
        assertThat(shared()).singleElement().asString().contains("does not allow it");
    }

    @Test
    void twoWinnersOfOneNameAreFound() {
        did(Op.CREATE, "OK", "/shared/s0/n1", "7", "new");
        did(Op.CREATE, "OK", "/shared/s0/n1", "8", "new");
        isFile("/shared/s0/n1", 0, 0);
        assertThat(shared()).singleElement().asString().contains("two got /shared/s0/n1");
    }

    @Test
    void fileUnderTwoNamesIsFound() {
        isFile("/a", 7, 100);
        isFile("/b", 7, 100);
        assertThat(Found.of(things).differences()).containsExactly("file 7 is at /a and at /b");
    }

    @Test
    void historyOutlivesItsWriter(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("history");
        try (History history = History.create(file)) {
            long first = history.begin(0, Op.MKDIR, List.of("/a"));
            history.begin(1, Op.DELETE, List.of("/b", "single"));
            history.end(first, 0, "OK", List.of());
        }
        Files.writeString(file, "E\t2\t99", StandardOpenOption.APPEND);
        List<Event> read = History.read("c.1", file);
        assertThat(read).hasSize(2);
        assertThat(read.get(0).ok()).isTrue();
        assertThat(read.get(1).unknown()).isTrue();
        assertThat(read.get(1).endNanos()).isEqualTo(NEVER);
    }

    private static final OwnPlace WIDE = OwnPlace.of("c", 0, 2);

    private void makesTwoInAWideDirectory() {
        for (String name : List.of("a", "b")) {
            wrote(WIDE.absolute(WIDE.prefix() + name), name.charAt(0), 100);
            isFile(WIDE.absolute(WIDE.prefix() + name), name.charAt(0), 100);
        }
        isFile(WIDE.base() + "/c-t10-a", 1, 100);
    }

    private void listed(String... names) {
        List<String> known = WIDE.ownOf(List.of(names));
        did(Op.LIST, "OK", List.of(WIDE.base()), known);
    }

    @Test
    void namesOfOtherThreadsInAWideDirectoryAreTheirs() {
        makesTwoInAWideDirectory();
        listed("c-t0-a", "c-t0-b", "c-t10-a", "c-t2-x");
        assertThat(own(WIDE, true)).isEmpty();
    }

    @Test
    void nameThatAListingOfAWideDirectoryLacksIsFound() {
        makesTwoInAWideDirectory();
        listed("c-t0-b", "c-t10-a");
        assertThat(own(WIDE, true)).singleElement().asString().contains("expected entries [c-t0-a, c-t0-b]");
    }

    @Test
    void nameThatAListingOfAWideDirectoryHasTwiceIsFound() {
        makesTwoInAWideDirectory();
        listed("c-t0-a", "c-t10-a", "c-t0-b", "c-t10-a");
        assertThat(own(WIDE, true)).singleElement().asString().contains("found [c-t0-a, c-t0-b, c-t10-a]");
    }

    @Test
    void nameInAWideDirectoryThatNobodyMadeIsFound() {
        makesTwoInAWideDirectory();
        isFile(WIDE.absolute(WIDE.prefix() + "x"), 9, 100);
        assertThat(own(WIDE, true)).singleElement().asString().contains("nobody made it");
    }

    @Test
    void nameOfAChangeInDoubtMayBeListedOrNot() {
        makesTwoInAWideDirectory();
        did(Op.DELETE, Event.NONE, WIDE.absolute(WIDE.prefix() + "a"), "single");
        listed("c-t0-a", "c-t0-b");
        listed("c-t0-b");
        assertThat(own(WIDE, true)).isEmpty();
    }

    @Test
    void everyByteIsAFunctionOfItsPlace() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long id = random.nextLong();
        byte[] whole = Content.bytes(id, 0, 1000);
        assertThat(ByteBuffer.wrap(whole).getLong()).isEqualTo(id);
        for (int i = 0; i < 100; i++) {
            int from = random.nextInt(1000);
            ByteBuffer part = ByteBuffer.wrap(Content.bytes(id, from, 1000 - from));
            assertThat(Content.firstDifference(id, from, part))
                    .as("seed %s", seed)
                    .isEqualTo(-1);
            int wrong = random.nextInt(1000 - from);
            part.put(wrong, (byte) (part.get(wrong) + 1));
            assertThat(Content.firstDifference(id, from, part))
                    .as("seed %s", seed)
                    .isEqualTo(from + wrong);
        }
    }
}

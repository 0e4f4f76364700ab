package io.steadfs.it.power;

import io.steadfs.client.SteadFs;
import io.steadfs.client.list.Entry;
import io.steadfs.client.read.FileReader;
import io.steadfs.it.power.Ledger.Directory;
import io.steadfs.it.power.Ledger.Doubt;
import io.steadfs.it.power.Ledger.State;
import io.steadfs.it.power.Ledger.Thing;
import io.steadfs.it.power.Ledger.Written;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Compares a tree with its ledger, whose writer does nothing meanwhile. */
final class Audit {
    private final SteadFs fs;
    private final Ledger ledger;
    /** Whether the grace after a restart is over, see {@link #of}. */
    private final boolean graceIsOver;
    /** Path to whether it is a directory. */
    private final Map<String, Boolean> found = new HashMap<>();

    private final List<String> problems = new ArrayList<>();
    private int files;

    private Audit(SteadFs fs, Ledger ledger, boolean graceIsOver) {
        this.fs = fs;
        this.ledger = ledger;
        this.graceIsOver = graceIsOver;
    }

    /**
     * @param problems what was lost, or is not as it was acknowledged
     * @param files whose bytes were compared
     */
    record Outcome(List<String> problems, int files) {}

    /**
     * @param graceIsOver whether no shard has forgotten a moment ago, in a crash, who closed untouched files; until then
     *     these may be told as open (decision 21)
     */
    static Outcome of(SteadFs fs, Ledger ledger, boolean graceIsOver) {
        Audit audit = new Audit(fs, ledger, graceIsOver);
        try {
            audit.look();
            audit.settleDoubts();
            audit.checkAll();
        } catch (IOException | UncheckedIOException e) {
            audit.problems.add(ledger.base + " cannot be looked at: " + e);
        }
        return new Outcome(audit.problems, audit.files);
    }

    private void look() throws IOException {
        found.put(ledger.base, fs.stat(FsPath.parse(ledger.base)).directory());
        fs.listTree(FsPath.parse(ledger.base), true)
                .forEachRemaining((Entry entry) ->
                        found.put(ledger.base + "/" + entry.name(), entry.info().directory()));
    }

    /** What is found to have happened is sure from now on; what did not happen yet may happen later. */
    private void settleDoubts() {
        for (Doubt doubt : List.copyOf(ledger.doubts)) {
            Set<String> all = new HashSet<>(doubt.before().keySet());
            all.addAll(doubt.after().keySet());
            Optional<String> after = difference(doubt.after(), all);
            if (after.isEmpty()) {
                ledger.doubts.remove(doubt);
                ledger.sure.putAll(doubt.after());
                continue;
            }
            Optional<String> before = difference(doubt.before(), all);
            if (before.isPresent()) {
                problems.add("half done: " + doubt.what() + "; not before it: " + before.get() + "; nor after it: "
                        + after.get());
            }
        }
    }

    /** Where these names are not as they should be. */
    private Optional<String> difference(Map<String, Thing> expected, Set<String> names) {
        for (String name : names) {
            Thing thing = expected.get(name);
            if (thing == null && found.containsKey(name)) {
                return Optional.of(name + " is there");
            }
            if (thing != null) {
                Optional<String> problem = check(name, thing);
                if (problem.isPresent()) {
                    return problem;
                }
            }
        }
        return Optional.empty();
    }

    private void checkAll() {
        Set<String> unknown = new HashSet<>(found.keySet());
        ledger.sure.forEach((name, thing) -> {
            check(name, thing).ifPresent(problems::add);
            unknown.remove(name);
        });
        for (String name : unknown) {
            if (ledger.doubts.stream().noneMatch(doubt -> doubt.concerns(name))) {
                problems.add(name + " is there, though it was removed, or never made");
            }
        }
    }

    private Optional<String> check(String name, Thing thing) {
        Boolean directory = found.get(name);
        if (directory == null) {
            return Optional.of(name + " is missing: " + thing);
        }
        if (directory != thing instanceof Directory) {
            return Optional.of(name + " is of the wrong kind: " + thing);
        }
        if (thing instanceof Written file) {
            files++;
            try (FileReader reader = fs.open(FsPath.parse(name))) {
                return check(reader, file).map(problem -> name + ", " + file + ": " + problem);
            } catch (IOException e) {
                return Optional.of(name + ", " + file + ": " + e);
            }
        }
        return Optional.empty();
    }

    private Optional<String> check(FileReader reader, Written file) throws IOException {
        boolean open = reader.info().open();
        long length = reader.length();
        boolean exact = file.state == State.CLOSED;
        if (length < file.synced || length > file.written || (exact && length != file.written)) {
            return Optional.of("has " + length + " bytes");
        }
        if (exact && open && (graceIsOver || file.written > 0)) {
            return Optional.of("is open");
        }
        // What is being written beyond its synced bytes may have lost some, until it is recovered.
        int counts = (int) (open ? file.synced : length);
        ByteBuffer bytes = ByteBuffer.allocate(counts);
        while (bytes.hasRemaining()) {
            if (reader.read(bytes.position(), bytes) <= 0) {
                return Optional.of("ends at " + bytes.position());
            }
        }
        long wrong = Content.firstWrong(file.number, bytes.array(), counts);
        if (wrong >= 0) {
            return Optional.of("has a wrong byte at " + wrong);
        }
        if (file.state == State.LEFT && !open) {
            // Recovered: from now on it stays so.
            file.state = State.CLOSED;
            file.written = length;
            file.synced = length;
        }
        return Optional.empty();
    }
}

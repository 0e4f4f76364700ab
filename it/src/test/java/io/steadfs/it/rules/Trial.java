package io.steadfs.it.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.it.rules.Thing.Kind;
import io.steadfs.layout.DirectoryHints;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.awaitility.Awaitility;

/** One rule on one kind of directory. */
final class Trial {
    private static final String ANSWER = "(answer)";

    private final Users users;
    private final FileSystem superuser;
    private final Path base;
    private final Rule rule;
    private final Ground ground;

    /** @param base the directory of this case, which nobody has made yet */
    Trial(Users users, Path base, Rule rule, Ground ground) {
        this.users = users;
        this.superuser = users.superuser();
        this.base = base;
        this.rule = rule;
        this.ground = ground;
    }

    @Override
    public String toString() {
        return rule + ", in a directory " + ground;
    }

    void run() throws IOException {
        prepare();
        List<Call> calls = rule.calls();
        Call judged = calls.get(calls.size() - 1);
        for (Call call : calls.subList(0, calls.size() - 1)) {
            Verbs.make(users, base, call);
        }
        Map<String, String> found = new TreeMap<>();
        found.put(ANSWER, Verbs.answer(users, base, judged));
        Map<String, String> times = new TreeMap<>();
        look(State.BASE, superuser.getFileStatus(base), found, times);
        String where = this + System.lineSeparator() + calls + ", below " + base;
        assertThat(found).as(where).isEqualTo(expected());
        if (!times.equals(expectedTimes())) {
            awaitTimes(where);
        }
    }

    /**
     * Not as it should be yet: after a rename from one shard to another has answered, its source directory has the old time until the
     * other shard has heard of the end.
     */
    private void awaitTimes(String where) {
        System.out.println("times come late: " + this);
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> {
                    Map<String, String> times = new TreeMap<>();
                    look(State.BASE, superuser.getFileStatus(base), new TreeMap<>(), times);
                    assertThat(times).as(where).isEqualTo(expectedTimes());
                });
    }

    private Map<String, String> expected() {
        Map<String, String> expected = new TreeMap<>();
        expected.put(ANSWER, rule.answer());
        for (Thing thing : rule.after().things()) {
            expected.put(thing.path(), thing.expected(ground.names().size()));
        }
        return expected;
    }

    private Map<String, String> expectedTimes() {
        Map<String, String> expected = new TreeMap<>();
        rule.after().things().forEach(thing -> expected.put(thing.path(), thing.expectedTimes()));
        return expected;
    }

    private Path at(String path) {
        return path.equals(State.BASE) ? base : new Path(base, path);
    }

    /** Makes all that is there before, and gives it an old time. */
    private void prepare() throws IOException {
        superuser.mkdirs(base);
        superuser.setOwner(base, "owner", "staff");
        List<Thing> things = new ArrayList<>(rule.before().things());
        for (Thing thing : things) {
            make(thing, at(thing.path()));
        }
        // The deepest first, since what is made in a directory changes its time.
        Collections.reverse(things);
        for (Thing thing : things) {
            if (thing.kind() != Kind.LINK) {
                setAttributes(thing, at(thing.path()));
            }
        }
    }

    /** All is made by the user who owns most of it. Directories are open until all is made. */
    private void make(Thing thing, Path path) throws IOException {
        FileSystem owner = users.of("owner").files();
        switch (thing.kind()) {
            case DIRECTORY -> {
                if (!thing.path().equals(State.BASE)) {
                    owner.mkdirs(path);
                }
                if (State.GROUNDS.contains(thing.path())) {
                    ground.spread(owner, path);
                    if (!thing.isFull()) {
                        ground.removeNames(owner, path);
                    }
                }
            }
            case FILE -> {
                try (FSDataOutputStream out = owner.create(path, false)) {
                    out.write(thing.text().getBytes(StandardCharsets.UTF_8));
                }
            }
            case LINK -> owner.createSymlink(new Path(thing.text()), path, false);
        }
    }

    private void setAttributes(Thing thing, Path path) throws IOException {
        if (!thing.owner().equals("owner") || !thing.group().equals("staff")) {
            superuser.setOwner(path, thing.owner(), thing.group());
        }
        if (thing.mode() != thing.kind().usualMode()) {
            superuser.setPermission(path, new FsPermission((short) thing.mode()));
        }
        for (Map.Entry<String, String> xattr : thing.xattrs().entrySet()) {
            superuser.setXAttr(path, xattr.getKey(), xattr.getValue().getBytes(StandardCharsets.UTF_8));
        }
        superuser.setTimes(path, Thing.OLD, Thing.OLD);
    }

    /**
     * Finds all that is there, by listings, and asks for each by its name.
     *
     * @param found gets what is there, by path
     * @param times gets the times of it
     */
    private void look(String path, FileStatus status, Map<String, String> found, Map<String, String> times)
            throws IOException {
        Path at = at(path);
        String text = "";
        int kept = 0;
        if (status.isSymlink()) {
            text = superuser.getLinkTarget(at).toString();
        } else if (status.isFile()) {
            text = read(at);
        } else {
            for (FileStatus each : superuser.listStatus(at)) {
                String name = each.getPath().getName();
                if (Ground.isKept(name)) {
                    kept++;
                    continue;
                }
                String child = path.equals(State.BASE) ? name : path + "/" + name;
                FileStatus asked = superuser.getFileLinkStatus(at(child));
                look(child, asked, found, times);
                if (each.getModificationTime() != asked.getModificationTime()) {
                    times.put(child + " as it is listed", each.getModificationTime() + " and asked for");
                }
            }
        }
        String before = found.put(path, Thing.found(status, text, kept, xattrs(at, status)));
        assertThat(before).as("%s was listed twice", path).isNull();
        times.put(path, Thing.foundTimes(rule.after().find(path), status));
    }

    private String read(Path file) throws IOException {
        try (FSDataInputStream in = superuser.open(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Asked for by rules about them alone. */
    private Map<String, String> xattrs(Path path, FileStatus status) throws IOException {
        Map<String, String> xattrs = new TreeMap<>();
        boolean isWanted = rule.before().hasXattrs() || rule.after().hasXattrs();
        if (isWanted && !status.isSymlink()) {
            superuser
                    .getXAttrs(path)
                    .forEach((name, value) -> xattrs.put(name, new String(value, StandardCharsets.UTF_8)));
        }
        xattrs.remove(DirectoryHints.EXPECTED_FILES);
        return xattrs;
    }
}

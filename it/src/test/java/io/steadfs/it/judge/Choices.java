package io.steadfs.it.judge;

import io.steadfs.it.judge.OddPath.Form;
import java.util.List;
import java.util.Random;

/** What random calls are made with: few names, so that calls meet; most of them plain, so that most calls do something. */
final class Choices {
    private static final List<String> PLAIN = List.of("a", "b", "c", "d");
    private static final List<String> ODD = List.of(
            "x y",
            "\u00fc\u20ac",
            "\ud83d\ude00",
            "a:b",
            "per%20cent",
            "hash#",
            "question?",
            "back\\slash",
            "{c}",
            ".hidden",
            "_temporary",
            "..",
            ".",
            "...",
            "~",
            "-",
            "n".repeat(255),
            "n".repeat(256),
            "\u00fc".repeat(127),
            "\u00fc".repeat(128),
            " ",
            "tab\there");
    private static final List<Form> FORMS = List.of(Form.values());
    private static final List<Integer> MODES = List.of(0777, 0755, 0700, 0644, 0600, 0500, 0400, 0, 01777, 01755);
    private static final List<String> GLOBS = List.of(
            "*", "a*", "{a,b}", "[a-c]", "?", "*/*", "a", "none", "[", "{a", "*:*", "\\*", "[^a]", "a/*", "*/b");

    private final Random random;

    Choices(long seed) {
        random = new Random(seed);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }

    <T> T of(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private String name() {
        return oneIn(14) ? of(ODD) : of(PLAIN);
    }

    private String names() {
        String names = name();
        for (int more = below(3); more > 0; more--) {
            names += "/" + name();
        }
        return names;
    }

    OddPath path() {
        Form form = oneIn(6) ? of(FORMS) : Form.TEXT;
        if (form == Form.ROOT && !oneIn(3)) {
            form = Form.TEXT;
        }
        return new OddPath(form, names());
    }

    /** One that a FileContext does not take for another file system, which it would go to. */
    OddPath ownPath() {
        OddPath path = path();
        return path.form() == Form.OTHER_AUTHORITY ? new OddPath(Form.WHOLE, path.below()) : path;
    }

    short mode() {
        return of(MODES).shortValue();
    }

    /** Mostly one that a file may have. */
    long blockSize() {
        return oneIn(4) ? of(List.of(0L, 1L, -1L, 512L, 1000L, 1048575L)) : 1L << (20 + below(4));
    }

    short replication() {
        return oneIn(3) ? of(List.of(0, 2, 3, 512, 513, -1)).shortValue() : 1;
    }

    /** Bytes of a file. */
    int length() {
        return of(List.of(0, 1, 10, 1000, 4096, 70_000));
    }

    String glob() {
        return of(GLOBS);
    }

    String xattr() {
        return of(
                List.of("user.a", "user.b", "user.a", "trusted.t", "user.", "nonsense", "system.s", "raw.r", "USER.a"));
    }

    String owner() {
        return of(List.of("alice", "root", "bob"));
    }

    String group() {
        return of(List.of("staff", "supergroup", "others"));
    }

    /** Before there were clocks here. */
    long time() {
        return oneIn(4) ? -1 : 1_000_000L * (1 + below(9));
    }
}

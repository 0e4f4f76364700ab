package io.steadfs.fuzz;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Values that mean something to the reader, so that an input gets past its first checks.
 *
 * @param numbers handles, sessions, sizes that are there
 * @param texts names and paths that are there
 */
public record Words(List<Long> numbers, List<String> texts) {
    private static final String[] BAD_TEXTS = {
        "",
        "/",
        "//",
        ".",
        "..",
        "a/../b",
        "/a",
        "a/",
        "\0",
        "a\0b",
        "\ud800",
        "\ufeff",
        "\u202e",
        "\uffff",
        "%2e%2e",
        "*",
        "user.",
        "user.a",
        "system.",
        "raw.x",
        "trusted.t",
        " ",
        "\n",
        "\u0000/\u0001"
    };

    public static final Words NONE = new Words(List.of(), List.of());

    public Words {
        numbers = List.copyOf(numbers);
        texts = List.copyOf(texts);
    }

    long number(RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextLong();
            case 1 -> Bits.edge(random);
            case 2 -> random.nextInt(16);
            case 3 -> near(random);
            case 4 -> random.nextInt(1 << random.nextInt(1, 31));
            default -> known(random);
        };
    }

    private long known(RandomGenerator random) {
        return numbers.isEmpty() ? random.nextInt(4) : numbers.get(random.nextInt(numbers.size()));
    }

    private long near(RandomGenerator random) {
        return known(random) + random.nextInt(5) - 2;
    }

    /** A text with half a surrogate pair has no UTF-8 form and is not given. */
    public String text(RandomGenerator random) {
        return switch (random.nextInt(10)) {
            case 0 -> encodable(BAD_TEXTS[random.nextInt(BAD_TEXTS.length)]);
            case 1 -> "n".repeat(random.nextInt(random.nextInt(20) == 0 ? 5000 : 300));
            case 2 -> "\u00e4".repeat(random.nextInt(300));
            case 3 -> "d/".repeat(random.nextInt(random.nextInt(20) == 0 ? 2000 : 20)) + "e";
            case 4 -> knownText(random) + "/" + (char) ('a' + random.nextInt(4));
            case 5 -> knownText(random) + "/" + knownText(random);
            default -> knownText(random);
        };
    }

    private static String encodable(String text) {
        return text.equals("\ud800") ? "\ud83d\ude00" : text;
    }

    private String knownText(RandomGenerator random) {
        return texts.isEmpty()
                ? String.valueOf((char) ('a' + random.nextInt(4)))
                : texts.get(random.nextInt(texts.size()));
    }
}

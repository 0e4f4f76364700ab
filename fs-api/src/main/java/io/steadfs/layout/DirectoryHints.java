package io.steadfs.layout;

/**
 * Extended attributes of a directory that say what the directory is for. They say how its names are spread over shards.
 * The value of each is a number in decimal digits.
 */
public final class DirectoryHints {
    /**
     * How many files the directory is going to have. An empty directory gets as many partitions at once as it would get
     * by splits (SkyeFS, section 3).
     */
    public static final String EXPECTED_FILES = "user.stead.hint.expected_files";

    /** The most shards that have names of the directory. */
    public static final String MAX_SHARDS = "user.stead.hint.max_shards";

    private static final long MOST = 1_000_000_000_000L;

    private DirectoryHints() {}

    /** Whether the value of the attribute is a number of one of these hints. */
    public static boolean isNumber(String name) {
        return name.equals(EXPECTED_FILES) || name.equals(MAX_SHARDS);
    }

    /** @throws IllegalArgumentException if the text is no number from 1 to 1,000,000,000,000 */
    public static long parse(String text) {
        boolean isNumber = !text.isEmpty()
                && text.length() <= Long.toString(MOST).length()
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
        long number = isNumber ? Long.parseLong(text) : 0;
        if (number < 1 || number > MOST) {
            throw new IllegalArgumentException("is no number from 1 to " + MOST);
        }
        return number;
    }
}

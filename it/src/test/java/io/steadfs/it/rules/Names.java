package io.steadfs.it.rules;

import java.util.regex.Pattern;

/** Names as rows write them. */
final class Names {
    private static final Pattern LONG = Pattern.compile("\\{(\\d+)}");

    private Names() {}

    /** Writes names such as {@code {255}} out: so many letters. */
    static String whole(String path) {
        return LONG.matcher(path).replaceAll(found -> "n".repeat(Integer.parseInt(found.group(1))));
    }
}

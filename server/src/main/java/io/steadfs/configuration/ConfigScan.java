package io.steadfs.configuration;

import io.steadfs.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Scans the text of a configuration file once. The scan measures how deep the text nests and how many characters it
 * has, and finds its substitutions.
 */
final class ConfigScan {
    /**
     * The deepest nesting that is allowed. Each open brace, each open bracket and each dot of a key counts as one
     * level. All keys need far fewer levels than this bound.
     */
    static final int MOST_DEPTH = 100;

    /**
     * The most characters of the text, without comments, line breaks and indentation. A file with all keys has far
     * fewer characters than this bound.
     */
    static final int MOST_CHARACTERS = 16_384;

    /** The most unquoted characters in one value or key. A quoted text counts as one character. */
    static final int MOST_UNQUOTED = 512;

    private static final String SEPARATORS = ",:={}[]";
    private static final String TRIPLE = "\"\"\"";

    private final Path file;
    private final String text;
    private final List<Substitution> substitutions = new ArrayList<>();
    private final int[] namesOfLevel = new int[MOST_DEPTH + 1];
    private int at;
    private int line = 1;
    private boolean lineIsBlank = true;
    private int characters;
    private int level;
    /** The number of open braces and brackets, plus the number of dots in the keys before them. */
    private int depth;
    /** The number of dots in the current key and its value, up to the present place. */
    private int names;

    private int unquoted;

    ConfigScan(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    /**
     * A substitution. The operator {@code +=} also counts as a substitution, because it inserts the earlier value of
     * its key.
     *
     * @param name the name between the braces; empty if no environment variable can have this name
     */
    record Substitution(String name, int line) {}

    /** All substitutions that the scan has found; complete only after {@link #check}. */
    List<Substitution> substitutions() {
        return substitutions;
    }

    /** Scans the whole text. @throws ConfigException naming the file and the line if the text exceeds a bound */
    void check() {
        while (at < text.length()) {
            char each = text.charAt(at);
            if (each == '\n') {
                line++;
                lineIsBlank = true;
                names = 0;
                unquoted = 0;
                at++;
            } else if (each == '#' || text.startsWith("//", at)) {
                at = endOfLine();
            } else if (each == '"') {
                quoted();
            } else {
                plain(each);
            }
        }
    }

    private int endOfLine() {
        int end = text.indexOf('\n', at);
        return end < 0 ? text.length() : end;
    }

    private void plain(char each) {
        lineIsBlank &= Character.isWhitespace(each);
        if (!lineIsBlank) {
            count(1);
            unquoted = SEPARATORS.indexOf(each) >= 0 ? 0 : unquoted + 1;
            checkUnquoted();
        }
        at++;
        switch (each) {
            case '{', '[' -> open();
            case '}', ']' -> close();
            case ',' -> names = 0;
            case '.' -> {
                names++;
                checkDepth(depth + names);
            }
            case '$' -> {
                if (text.startsWith("{", at)) {
                    substitutions.add(new Substitution(variable(), line));
                }
            }
            case '+' -> {
                if (text.startsWith("=", at)) {
                    substitutions.add(new Substitution("", line));
                }
            }
            default -> {}
        }
    }

    private void open() {
        checkDepth(depth + names + 1);
        namesOfLevel[level] = names;
        level++;
        depth += names + 1;
        names = 0;
    }

    private void close() {
        names = 0;
        if (level > 0) {
            level--;
            depth -= namesOfLevel[level] + 1;
        }
    }

    /**
     * The name between the braces. The result is empty if the name has other characters than letters, digits and
     * underscores.
     */
    private String variable() {
        int from = at + (text.startsWith("{?", at) ? 2 : 1);
        int to = from;
        while (to < text.length() && (Character.isLetterOrDigit(text.charAt(to)) || text.charAt(to) == '_')) {
            to++;
        }
        return text.startsWith("}", to) ? text.substring(from, to) : "";
    }

    /** Skips a quoted text. A text without an end quote is accepted here, because the parser refuses it later. */
    private void quoted() {
        lineIsBlank = false;
        unquoted++;
        checkUnquoted();
        int from = at;
        if (text.startsWith(TRIPLE, at)) {
            int end = text.indexOf(TRIPLE, at + TRIPLE.length());
            at = end < 0 ? text.length() : end + TRIPLE.length();
            while (at < text.length() && text.charAt(at) == '"') {
                at++;
            }
        } else {
            at++;
            while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\n') {
                at += text.charAt(at) == '\\' ? 2 : 1;
            }
            at = Math.min(text.length(), at + (text.startsWith("\"", at) ? 1 : 0));
        }
        count(at - from);
        line += (int) text.substring(from, at).chars().filter(c -> c == '\n').count();
    }

    private void count(int more) {
        characters += more;
        if (characters > MOST_CHARACTERS) {
            throw refused("more than " + MOST_CHARACTERS + " characters outside comments, which is the most");
        }
    }

    private void checkUnquoted() {
        if (unquoted > MOST_UNQUOTED) {
            throw refused("a value of more than " + MOST_UNQUOTED + " characters needs quotes around it");
        }
    }

    private void checkDepth(int reached) {
        if (reached > MOST_DEPTH) {
            throw refused("nested more than " + MOST_DEPTH + " levels deep");
        }
    }

    private ConfigException refused(String why) {
        return new ConfigException("configuration file " + file + ", line " + line + ": " + why);
    }
}

package io.steadfs.configuration;

import io.steadfs.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One pass over the text of a configuration file. It measures how deep the text nests and how much it holds, and finds its substitutions.
 */
final class ConfigScan {
    /** The most levels of braces, brackets and the names of the keys before them: far above what any key needs. */
    static final int MOST_DEPTH = 100;

    /** The most characters outside comments, not counting line breaks and indentation: several times what all keys need. */
    static final int MOST_CHARACTERS = 16_384;

    /** The most characters outside quotes in one value or key. Quoted text counts as one. */
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
    /** Levels that are open, and the names of their keys. */
    private int depth;
    /** Dots of the current key, and of its value, so far. */
    private int names;

    private int unquoted;

    ConfigScan(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    /**
     * A substitution. {@code +=} is a substitution of the key's value so far.
     *
     * @param name of what may be an environment variable; empty if it cannot be one
     */
    record Substitution(String name, int line) {}

    /** All substitutions; complete only after {@link #check}. */
    List<Substitution> substitutions() {
        return substitutions;
    }

    /** @throws ConfigException naming the file and the line where it nests too deeply or holds too much */
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

    /** The name between these braces, if it consists of letters, digits and underscores only. */
    private String variable() {
        int from = at + (text.startsWith("{?", at) ? 2 : 1);
        int to = from;
        while (to < text.length() && (Character.isLetterOrDigit(text.charAt(to)) || text.charAt(to) == '_')) {
            to++;
        }
        return text.startsWith("}", to) ? text.substring(from, to) : "";
    }

    /** A quote that is not closed is left to the parser, which refuses it. */
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

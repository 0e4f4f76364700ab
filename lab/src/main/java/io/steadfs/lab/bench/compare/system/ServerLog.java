package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file that holds a process's output. */
public record ServerLog(Path file) {
    private static final int LAST_CHARACTERS = 2000;

    ProcessBuilder.Redirect append() {
        return ProcessBuilder.Redirect.appendTo(file.toFile());
    }

    /** The last lines of the file, as text for an error message. */
    public String lastWords() throws IOException {
        String all = Files.readString(file, StandardCharsets.UTF_8);
        return file + " says:\n" + all.substring(Math.max(0, all.length() - LAST_CHARACTERS));
    }
}

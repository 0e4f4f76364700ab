package io.steadfs.configuration;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;

/**
 * Writes reference texts of the configuration keys for people. The texts come from the keys that the programs read, so
 * both always agree.
 */
public final class ReferencePage {
    private ReferencePage() {}

    /** A Markdown table of the keys. */
    public static String table(ConfigKeys keys) {
        StringBuilder page = new StringBuilder("| key | default | unit | meaning |\n|---|---|---|---|\n");
        for (ConfigKey<?> key : keys.list()) {
            page.append("| `").append(key.name()).append("` | ");
            page.append(key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`")
                    .append(" | ");
            page.append(key.unit())
                    .append(" | ")
                    .append(key.meaning().replace("|", "\\|"))
                    .append(" |\n");
        }
        return page.toString();
    }

    /** A configuration file that lists every key with its meaning and its default. All keys are commented out. */
    public static String file(String title, ConfigKeys keys) {
        StringBuilder file = new StringBuilder("# ").append(title).append("\n");
        file.append("# Every key with its default. Take the # away to change one; an unknown key stops the start.\n");
        for (ConfigKey<?> key : keys.list()) {
            file.append("\n# ").append(key.meaning());
            if (!key.unit().isEmpty()) {
                file.append(" In ").append(key.unit()).append(".");
            }
            file.append("\n#")
                    .append(key.name())
                    .append(" = ")
                    .append(quoted(key.defaultText()))
                    .append("\n");
        }
        return file.toString();
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9]+") ? text : "\"" + text + "\"";
    }
}

package io.steadfs.cli.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** One JSON object on one line, as {@code --json} prints it. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    /** @param fields in the order to print; values are texts, numbers, booleans, lists and maps of these */
    public static String line(Map<String, ?> fields) {
        try {
            return MAPPER.writeValueAsString(fields);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("fields without a form in JSON: " + fields, e);
        }
    }
}

package io.steadfs.cli.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** One JSON object on one line, as {@code --json} prints it. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    /**
     * @param fields fields in the order of the output. A value is a text, a number, a boolean, or a list or map of such
     * values.
     */
    public static String line(Map<String, ?> fields) {
        try {
            return MAPPER.writeValueAsString(fields);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("fields without a form in JSON: " + fields, e);
        }
    }
}

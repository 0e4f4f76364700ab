package io.steadfs.membership;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/**
 * Encodes records of this package as JSON text and decodes them. Newer releases may add fields, so unknown fields are
 * skipped. A missing field is an error, except one that is {@link AddedLater}.
 */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private Json() {}

    static byte[] encode(Record value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + value + " as JSON", e);
        }
    }

    /**
     * Decodes a record.
     *
     * @param where names the node or file of the text, for messages
     * @throws UnreadableNodeException if the text is not a record of this type, or has impossible values; the message
     *     names the node or file
     */
    static <T extends Record> T decode(byte @Nullable [] text, Class<T> type, String where)
            throws UnreadableNodeException {
        if (text == null) {
            throw new UnreadableNodeException(where + " holds nothing, and should hold a " + type.getSimpleName());
        }
        T value;
        try {
            value = MAPPER.readTree(text) instanceof ObjectNode object
                    ? MAPPER.treeToValue(withAddedLater(object, type), type)
                    : MAPPER.readValue(text, type);
        } catch (IOException e) {
            String reason = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
            throw new UnreadableNodeException(where + " cannot be read as " + type.getSimpleName() + ": " + reason, e);
        }
        if (value == null) {
            throw new UnreadableNodeException(where + " holds null, and should hold a " + type.getSimpleName());
        }
        return value;
    }

    /** Fills in the components that earlier releases did not write. */
    private static ObjectNode withAddedLater(ObjectNode object, Class<? extends Record> type) throws IOException {
        for (RecordComponent component : type.getRecordComponents()) {
            AddedLater later = component.getAnnotation(AddedLater.class);
            if (later != null && !object.has(component.getName())) {
                object.set(component.getName(), MAPPER.readTree(later.value()));
            }
        }
        return object;
    }
}

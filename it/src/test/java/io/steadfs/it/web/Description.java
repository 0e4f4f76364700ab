package io.steadfs.it.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.steadfs.webui.RestClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The OpenAPI description of an interface, to which its answers are held. */
final class Description {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode document;
    private final JsonSchemaFactory schemas = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    private final Set<String> met = new TreeSet<>();

    /** @param method in upper case */
    record Operation(String method, String path, JsonNode node) {
        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    Description(JsonNode document) {
        this.document = document;
    }

    List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method -> operations.add(new Operation(
                                method.getKey().toUpperCase(java.util.Locale.ROOT),
                                path.getKey(),
                                method.getValue()))));
        return operations;
    }

    /** Fails unless the description has the answer's status, type and form for that operation. */
    RestClient.Answer check(String method, String path, RestClient.Answer answer) throws IOException {
        Operation operation = operations().stream()
                .filter(each -> each.method().equals(method) && each.path().equals(path))
                .findAny()
                .orElseThrow(() -> new AssertionError(method + " " + path + " is not described"));
        JsonNode response = operation.node().get("responses").get(Integer.toString(answer.status()));
        assertThat(response)
                .as("%s: status %d, %s", operation, answer.status(), answer.body())
                .isNotNull();
        if (answer.status() < 300) {
            met.add(operation.toString());
        }
        if (!response.has("content")) {
            assertThat(answer.body()).as("%s", operation).isEmpty();
            return answer;
        }
        String type = answer.headers().firstValue("Content-Type").orElse("").split(";", 2)[0];
        JsonNode content = response.get("content").get(type);
        assertThat(content).as("%s: type %s", operation, type).isNotNull();
        if (type.endsWith("json")) {
            ObjectNode schema = JSON.createObjectNode();
            schema.set("components", document.get("components"));
            schema.set("allOf", JSON.createArrayNode().add(content.get("schema")));
            Set<ValidationMessage> faults = schemas.getSchema(schema).validate(answer.json());
            assertThat(faults).as("%s: %s", operation, answer.body()).isEmpty();
        }
        return answer;
    }

    /** Operations of which no good answer was checked yet. */
    Set<String> notMet() {
        Set<String> left = new TreeSet<>();
        operations().forEach(each -> left.add(each.toString()));
        left.removeAll(met);
        return left;
    }
}

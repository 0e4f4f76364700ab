package io.steadfs.webui.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page has words for each state of a check, and the description has each state. */
class RunStateTest {
    private static final Pattern STATES = Pattern.compile("const STATES = \\{(.*?)\\n};", Pattern.DOTALL);
    private static final Pattern STATE = Pattern.compile("\\n {2}([a-z]+): \\{");

    private static List<String> labels() {
        return Arrays.stream(RunState.State.values()).map(RunState.State::label).toList();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(RunState.class.getResourceAsStream("/io/steadfs/webui/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void thePageHasWordsForEachState() throws IOException {
        List<String> told = STATES.matcher(resource("page/pages/fsck-words.js"))
                .results()
                .flatMap(states -> STATE.matcher(states.group(1)).results())
                .map(state -> state.group(1))
                .toList();
        assertThat(told).as("STATES of fsck-words.js").containsExactlyInAnyOrderElementsOf(labels());
    }

    @Test
    void theDescriptionHasEachState() throws IOException {
        List<String> described = new ArrayList<>();
        new ObjectMapper()
                .readTree(resource("description/openapi.json"))
                .at("/components/schemas/Run/properties/state/enum")
                .forEach(state -> described.add(state.asText()));
        assertThat(described).as("states of Run in openapi.json").containsExactlyInAnyOrderElementsOf(labels());
    }
}

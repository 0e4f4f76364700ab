package io.steadfs.lab.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The results that the Spark job read back from the files it had written.
 *
 * @param spark version of Spark
 * @param letters sums over all words with the same first letter, by letter
 * @param top the most frequent words, in descending order of frequency
 * @param filtered words that the filter selected
 * @param millis duration of each part of the job in milliseconds, in the order of the parts
 * @param creates statistics of how the file system created the job's files, by name
 */
record JobResult(
        String spark,
        SortedMap<String, LetterSum> letters,
        List<WordTimes> top,
        List<WordTimes> filtered,
        Map<String, Long> millis,
        Map<String, Long> creates) {

    /**
     * Parses the line of JSON that the job prints.
     *
     * @throws IOException if a field is missing or has a wrong type
     */
    static JobResult parse(String line) throws IOException {
        JsonNode json = new ObjectMapper().readTree(line);
        TreeMap<String, LetterSum> letters = new TreeMap<>();
        for (JsonNode letter : field(json, "letters")) {
            letters.put(
                    field(letter, "letter").asText(),
                    new LetterSum(number(letter, "distinct"), number(letter, "words"), number(letter, "fingerprint")));
        }
        Map<String, Long> millis = new LinkedHashMap<>();
        field(json, "millis")
                .properties()
                .forEach(part -> millis.put(part.getKey(), part.getValue().asLong()));
        Map<String, Long> creates = new TreeMap<>();
        field(json, "creates")
                .properties()
                .forEach(each -> creates.put(each.getKey(), each.getValue().asLong()));
        return new JobResult(
                field(json, "spark").asText(), letters, words(json, "top"), words(json, "filtered"), millis, creates);
    }

    private static List<WordTimes> words(JsonNode json, String name) throws IOException {
        List<WordTimes> words = new ArrayList<>();
        for (JsonNode word : field(json, name)) {
            words.add(new WordTimes(field(word, "word").asText(), number(word, "count")));
        }
        return words;
    }

    private static long number(JsonNode json, String name) throws IOException {
        JsonNode value = field(json, name);
        if (!value.isIntegralNumber()) {
            throw new IOException("the job's field '" + name + "' is no whole number: " + value);
        }
        return value.asLong();
    }

    private static JsonNode field(JsonNode json, String name) throws IOException {
        JsonNode value = json.get(name);
        if (value == null) {
            throw new IOException("the job's result has no field '" + name + "': " + json);
        }
        return value;
    }
}

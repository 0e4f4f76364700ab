package io.steadfs.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SumCheckTest {
    private static final String TEXT = "The cat, the bat; a CAT and the hat. Cäsar's x4y\nthe";

    @Test
    void wordsAreRunsOfAsciiLettersInLowerCase() throws IOException {
        PlainCount count = count(TEXT);

        assertThat(count.top(4))
                .containsExactly(
                        new WordTimes("the", 4),
                        new WordTimes("cat", 2),
                        new WordTimes("a", 1),
                        new WordTimes("and", 1));
        assertThat(count.letters().keySet()).containsExactly("a", "b", "c", "h", "s", "t", "x", "y");
        assertThat(count.letters()).hasEntrySatisfying("c", sum -> {
            assertThat(sum.distinct()).isEqualTo(2);
            assertThat(sum.words()).isEqualTo(3);
        });
        assertThat(count.filtered("c")).containsExactly(new WordTimes("cat", 2));
        assertThat(count.mostFrequentLetter()).isEqualTo("t");
    }

    @Test
    void equalResultHasNoDifference() throws IOException {
        PlainCount count = count(TEXT);

        assertThat(SumCheck.differences(count, asSparkWouldSay(count, "t"), "t"))
                .isEmpty();
    }

    @Test
    void plantedWordIsFound() throws IOException {
        JobResult job = asSparkWouldSay(count(TEXT), "t");
        PlainCount planted = count(TEXT);
        planted.add("difference", 1);

        assertThat(SumCheck.differences(planted, job, "t"))
                .anySatisfy(difference -> assertThat(difference).startsWith("words with 'd': plain count has"));
    }

    @Test
    void swappedCountsAreFoundThoughTheSumsAgree() throws IOException {
        PlainCount plain = count("cat cat cow");
        JobResult job = asSparkWouldSay(count("cat cow cow"), "c");

        assertThat(SumCheck.differences(plain, job, "c"))
                .anySatisfy(difference -> assertThat(difference).startsWith("words with 'c'"))
                .anySatisfy(difference -> assertThat(difference).startsWith("most frequent words, row 1"))
                .anySatisfy(difference -> assertThat(difference).startsWith("filter on 'c', row 1"));
    }

    @Test
    void lostLetterIsFound() throws IOException {
        PlainCount plain = count(TEXT);
        JobResult all = asSparkWouldSay(plain, "t");
        TreeMap<String, LetterSum> letters = new TreeMap<>(all.letters());
        letters.remove("h");
        JobResult job = new JobResult(all.spark(), letters, all.top(), all.filtered(), all.millis(), all.creates());

        assertThat(SumCheck.differences(plain, job, "t"))
                .singleElement()
                .satisfies(difference -> assertThat(difference).startsWith("words with 'h'"));
    }

    @Test
    void emptyTableIsFound() throws IOException {
        PlainCount plain = count(TEXT);
        JobResult all = asSparkWouldSay(plain, "t");
        JobResult job =
                new JobResult(all.spark(), all.letters(), List.of(), all.filtered(), all.millis(), all.creates());

        assertThat(SumCheck.differences(plain, job, "t")).containsExactly("most frequent words: Spark found none");
    }

    @Test
    void lostFilteredRowIsFound() throws IOException {
        PlainCount plain = count(TEXT);
        JobResult all = asSparkWouldSay(plain, "t");
        List<WordTimes> fewer = new ArrayList<>(all.filtered());
        fewer.remove(0);
        JobResult job = new JobResult(all.spark(), all.letters(), all.top(), fewer, all.millis(), all.creates());

        assertThat(SumCheck.differences(plain, job, "t"))
                .containsExactly("filter on 't': plain count has 1 rows, Spark 0");
    }

    @Test
    void resultOfTheJobIsRead() throws IOException {
        JobResult job = JobResult.parse("""
                {"spark":"4.2.0","letters":[{"letter":"c","distinct":2,"words":3,"fingerprint":17}],
                 "top":[{"word":"cat","count":2}],"filtered":[{"word":"cat","count":2}],"millis":{"start":5},
                 "creates":{"create.unified.files":7}}
                """);

        assertThat(job)
                .isEqualTo(new JobResult(
                        "4.2.0",
                        new TreeMap<>(Map.of("c", new LetterSum(2, 3, 17))),
                        List.of(new WordTimes("cat", 2)),
                        List.of(new WordTimes("cat", 2)),
                        Map.of("start", 5L),
                        Map.of("create.unified.files", 7L)));
    }

    @Test
    void resultWithoutASumIsRefused() {
        assertThatThrownBy(() -> JobResult.parse("{\"spark\":\"4.2.0\",\"letters\":[{\"letter\":\"c\"}]}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no field 'distinct'");
    }

    private static JobResult asSparkWouldSay(PlainCount count, String letter) {
        return new JobResult("4.2.0", count.letters(), count.top(10), count.filtered(letter), Map.of(), Map.of());
    }

    private static PlainCount count(String text) throws IOException {
        PlainCount count = new PlainCount();
        count.addWordsOf(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        return count;
    }
}

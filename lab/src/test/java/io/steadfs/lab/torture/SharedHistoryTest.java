package io.steadfs.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.list.FileInfo;
import io.steadfs.handle.Handle;
import io.steadfs.lab.history.HistoryCheck;
import io.steadfs.lab.history.Verdict;
import io.steadfs.lab.torture.Event.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What clients wrote down says of the shared names what it must. */
class SharedHistoryTest {
    private static final String NAME = "/shared/s0/n1";
    private static final String OTHER = "/shared/s1/n2";

    private final List<Event> events = new ArrayList<>();
    private final List<Found.Thing> things = new ArrayList<>();

    private void did(Op op, String outcome, List<String> results, String... arguments) {
        long n = events.size() + 1L;
        long end = outcome.equals(Event.NONE) ? Event.NEVER : n * 10 + 5;
        events.add(new Event("c.1", n, 0, op, List.of(arguments), n * 10, end, outcome, results));
    }

    private void created(String path, long id) {
        did(Op.CREATE, "OK", List.of(), path, Long.toString(id), "overwrite");
    }

    private void read(String path, long id) {
        did(Op.READ, "OK", List.of("100", "-1", Long.toString(id)), path, "0");
    }

    private void isFile(String path, long id) {
        FileInfo info = new FileInfo(
                new Handle(id), false, 0, "", "", 0, 0, 0, 0, 0, 1, false, 0, 0, Optional.empty(), Optional.empty());
        things.add(new Found.Thing(path, info, Optional.of(new Reading(100, id, -1))));
    }

    private Verdict verdict() {
        SharedHistory history = new SharedHistory(events, Found.of(things));
        Verdict verdict = new HistoryCheck(HistoryCheck.MOST_CONFIGURATIONS).eachName(history.operations());
        assertThat(verdict.undecided()).isEmpty();
        return verdict;
    }

    private void isWrong(String... said) {
        assertThat(verdict().violations()).hasSize(1);
        assertThat(verdict().violations().get(0).toString()).contains(said);
    }

    private void isRight() {
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void everyKindOfAnswerIsUnderstood() {
        created(NAME, 7);
        read(NAME, 7);
        did(Op.LIST, "OK", List.of("n1"), "/shared/s0");
        did(Op.RENAME, "OK", List.of(), NAME, OTHER, "NO_REPLACE");
        did(Op.LIST, "OK", List.of(), "/shared/s0");
        did(Op.DELETE, "NOT_FOUND", List.of("no such file"), NAME, "single");
        did(Op.MKDIR, "OK", List.of(), "/shared/race/x1");
        did(Op.MKDIR, "ALREADY_EXISTS", List.of("exists"), "/shared/race/x1");
        did(Op.DELETE, Event.NONE, List.of(), "/shared/race/x1", "recursive");
        did(Op.MKDIR, "TIMED_OUT", List.of("no answer"), "/shared/race/x1/x2");
        did(Op.READ, "CORRUPT", List.of("bytes"), OTHER, "0");
        isFile(OTHER, 7);
        isRight();
        assertThat(verdict().names()).isEqualTo(3);
        assertThat(verdict().unsteadyNames()).isEqualTo(1);
    }

    @Test
    void oldFileReadAfterItWasReplaced() {
        created(NAME, 7);
        created(NAME, 8);
        read(NAME, 7);
        isFile(NAME, 8);
        isWrong("c.1 op 2", "c.1 op 3", "file 7 was there");
    }

    @Test
    void nameThatIsNotListedForAMoment() {
        created(NAME, 7);
        did(Op.LIST, "OK", List.of(), "/shared/s0");
        isFile(NAME, 7);
        isWrong("lists the directory of " + NAME, "nothing was there");
    }

    @Test
    void whatIsThereAfterAllIsTheLastLook() {
        created(NAME, 7);
        did(Op.DELETE, "OK", List.of(), NAME, "single");
        isFile(NAME, 7);
        isWrong("c.1 op 2", "the harness, after all");

        things.clear();
        isRight();
    }

    @Test
    void unansweredDeleteExplainsWhatIsGone() {
        created(NAME, 7);
        isWrong("the harness, after all");

        did(Op.DELETE, Event.NONE, List.of(), NAME, "single");
        isRight();
    }
}

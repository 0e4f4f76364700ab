package io.steadfs.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.recent.MessageTimes;
import io.steadfs.recent.RecentMessage;
import io.steadfs.wire.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Records with made-up clocks, joined. */
class JoiningTest {
    private static final long TRACE = 7;
    private static final Map<String, String> NAMES = Map.of("m1:1", "mds-1", "m2:1", "mds-2", "i1:1", "io-1");

    private long number;

    private RecentMessage sent(Kind kind, String server, int port, long call, long begun, long ended) {
        return new RecentMessage(
                ++number, false, TRACE, kind, "", server, port, call, 10, FsError.OK, MessageTimes.sent(begun, ended));
    }

    private RecentMessage received(Kind kind, int port, long call, MessageTimes times) {
        return new RecentMessage(++number, true, TRACE, kind, "", "c:" + port, port, call, 10, FsError.OK, times);
    }

    private static MessageTimes times(long begun, long ended) {
        return new MessageTimes(begun, 0, 0, 0, ended);
    }

    private static List<TimelineMessage> join(List<RecentMessage> own, Kept... kept) {
        return Timeline.of(TRACE, new Joining(NAMES, List.of(kept)).join(own), List.of())
                .messages();
    }

    @Test
    void aServersBarLiesInTheMiddleOfItsSenders() {
        List<TimelineMessage> messages = join(
                List.of(sent(Kind.CREATE, "m1:1", 50, 3, 1_000, 2_000)),
                new Kept(
                        "mds-1",
                        List.of(received(Kind.CREATE, 50, 3, new MessageTimes(70_100, 70_200, 70_300, 70_600, 70_700))),
                        0));

        assertThat(messages).hasSize(1);
        TimelineMessage create = messages.get(0);
        assertThat(create.sender()).isEqualTo(Timeline.CLIENT);
        assertThat(create.server()).isEqualTo("mds-1");
        assertThat(create.sent()).contains(new Span(0, 1_000));
        ServedMessage served = create.served().orElseThrow();
        assertThat(served.bar()).isEqualTo(new Span(200, 800));
        assertThat(served.startedNanos()).isEqualTo(300);
        assertThat(served.commit()).contains(new Span(400, 700));
    }

    @Test
    void whatAServerSendsMeanwhileMovesWithItsBar() {
        List<TimelineMessage> messages = join(
                List.of(sent(Kind.LINK, "m1:1", 50, 3, 0, 1_000)),
                new Kept(
                        "mds-1",
                        List.of(
                                received(Kind.LINK, 50, 3, times(70_100, 70_700)),
                                sent(Kind.STAT_HANDLES, "m2:1", 60, 9, 70_200, 70_400)),
                        0),
                new Kept("mds-2", List.of(received(Kind.STAT_HANDLES, 60, 9, times(-950, -850))), 0));

        assertThat(messages).hasSize(2);
        TimelineMessage asked = messages.get(1);
        assertThat(asked.sender()).isEqualTo("mds-1");
        assertThat(asked.sent()).contains(new Span(300, 500));
        assertThat(asked.served().map(ServedMessage::bar)).contains(new Span(350, 450));
    }

    /** Of the same kind at the same server, told apart by the call; of the same call, by the port. */
    @Test
    void eachMessageFindsItsOwnBar() {
        List<TimelineMessage> messages = join(
                List.of(
                        sent(Kind.CREATE_DATAFILE, "i1:1", 50, 3, 0, 100),
                        sent(Kind.CREATE_DATAFILE, "i1:1", 50, 4, 10, 200),
                        sent(Kind.CREATE_DATAFILE, "i1:1", 51, 4, 20, 300)),
                new Kept(
                        "io-1",
                        List.of(
                                received(Kind.CREATE_DATAFILE, 51, 4, times(0, 3)),
                                received(Kind.CREATE_DATAFILE, 50, 4, times(0, 2)),
                                received(Kind.CREATE_DATAFILE, 50, 3, times(0, 1))),
                        0));

        assertThat(messages.stream()
                        .map(each -> each.served().orElseThrow().bar().nanos()))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void aPortThatWasChangedOnTheWayDoesNotMatter() {
        List<TimelineMessage> messages = join(
                List.of(sent(Kind.CREATE, "m1:1", 50, 3, 0, 100)),
                new Kept("mds-1", List.of(received(Kind.CREATE, 9, 3, times(0, 50))), 0));

        assertThat(messages).hasSize(1);
        assertThat(messages.get(0).served()).isPresent();
    }

    @Test
    void aMessageOfAnUnknownClientIsPlacedByTheServersClock() {
        List<TimelineMessage> messages = join(
                List.of(),
                new Kept("mds-1", List.of(received(Kind.CREATE_METAFILE, 50, 1, times(5_000, 5_100))), 1_000),
                new Kept("mds-2", List.of(received(Kind.LINK, 50, 1, times(300, 420))), 6_000));

        assertThat(messages.stream().map(TimelineMessage::sender)).containsExactly(Timeline.UNKNOWN, Timeline.UNKNOWN);
        assertThat(messages.stream().map(TimelineMessage::bar)).containsExactly(new Span(0, 100), new Span(300, 420));
        assertThat(messages.stream().map(TimelineMessage::sent)).containsOnly(Optional.empty());
    }

    @Test
    void whatAServerOfAnUnknownClientSendsIsFollowed() {
        List<TimelineMessage> messages = join(
                List.of(),
                new Kept(
                        "mds-1",
                        List.of(
                                received(Kind.LINK, 50, 3, times(0, 600)),
                                sent(Kind.STAT_HANDLES, "m2:1", 60, 9, 100, 300)),
                        0),
                new Kept("mds-2", List.of(received(Kind.STAT_HANDLES, 60, 9, times(150, 250))), 77_000));

        assertThat(messages.stream().map(TimelineMessage::sender)).containsExactly(Timeline.UNKNOWN, "mds-1");
        assertThat(messages.get(1).served().map(ServedMessage::bar)).contains(new Span(150, 250));
    }

    @Test
    void aMessageWithoutItsServersBarIsShownAllTheSame() {
        List<TimelineMessage> messages =
                join(List.of(sent(Kind.WRITE, "elsewhere:9", 50, 3, 0, 100)), new Kept("io-1", List.of(), 0));

        assertThat(messages).hasSize(1);
        assertThat(messages.get(0).server()).isEqualTo("elsewhere:9");
        assertThat(messages.get(0).served()).isEmpty();
    }

    @Test
    void lanesAreClientsThenMetadataServersThenIoServers() {
        List<RecentMessage> own = List.of(
                sent(Kind.CREATE, "i1:1", 50, 1, 0, 1),
                sent(Kind.CREATE, "m2:1", 50, 1, 0, 1),
                sent(Kind.CREATE, "m1:1", 50, 1, 0, 1));
        Timeline timeline = Timeline.of(TRACE, new Joining(NAMES, List.of()).join(own), List.of());

        assertThat(timeline.lanes()).containsExactly(Timeline.CLIENT, "mds-1", "mds-2", "io-1");
    }
}

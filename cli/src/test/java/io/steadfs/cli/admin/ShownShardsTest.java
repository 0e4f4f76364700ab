package io.steadfs.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.membership.ServerId;
import io.steadfs.membership.ShardsState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShownShardsTest {
    private static final Optional<ServerId> HOST = Optional.of(ServerId.mds(1));

    private static String printed(ShardsState.Shard shard, boolean json) {
        StringWriter text = new StringWriter();
        ShownShards.print(new ShardsState(List.of(shard), List.of()), json, new PrintWriter(text));
        return text.toString();
    }

    @Test
    void aServerThatIsNotAliveIsTold() {
        ShardsState.Shard away = new ShardsState.Shard(0, HOST, false, true, true, Optional.empty(), false);

        assertThat(printed(away, false)).contains("serves, but its server is not alive");
        assertThat(printed(away, true)).contains("\"alive\":false");
    }

    @Test
    void ofOneThatIsAliveNothingIsTold() {
        ShardsState.Shard alive = new ShardsState.Shard(0, HOST, true, true, true, Optional.empty(), false);

        assertThat(printed(alive, false)).contains("serves").doesNotContain("alive");
        assertThat(printed(alive, true)).contains("\"alive\":true");
    }

    @Test
    void aShardThatHasNoServerYetJoins() {
        ShardsState.Shard none =
                new ShardsState.Shard(0, Optional.empty(), false, false, false, Optional.empty(), false);

        assertThat(printed(none, false)).contains("none yet").contains("joins").doesNotContain("alive");
    }
}

package io.steadfs.client.call;

import io.steadfs.pages.Page;
import io.steadfs.pages.Rows;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each counter of a client has its row in docs/metrics.md; those of messages have a sentence there. */
class ClientCountersTest {
    @Test
    void eachCounterHasItsRow() {
        Page page = Page.of("docs/metrics.md").part("What clients count");
        List<String> told = new ClientCounters().snapshot().keySet().stream().toList();
        Rows.match(page.name(), told, page.table("counter", "counts").codes("counter"));
    }
}

package io.steadfs.ioserver.duty;

import io.steadfs.pages.Page;
import io.steadfs.pages.Rows;
import io.steadfs.pages.Sources;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each duty of an IO server has its row in docs/io-server.md. */
class DutyPageTest {
    private static List<String> declared() throws ClassNotFoundException {
        return Sources.ofType("ioserver", Duty.class);
    }

    @Test
    void eachDutyHasItsRow() throws ClassNotFoundException {
        Page part = Page.of("docs/io-server.md").part("Duties");
        Rows.match(
                part.name(),
                declared(),
                part.table("duty", "when", "work in one go").codes("duty"));
    }
}

package io.steadfs.mds.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.TestHello;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Callers, and the names that may be stored of them. */
class PrincipalsTest {
    private static final Principal ANNA = new Principal("anna", Set.of("staff"), false, 5, 6, 7, OptionalInt.empty());

    @Test
    void onlyAnIoServerThatProvedItselfIsOne() {
        assertThat(ANNA.ioServer()).isEmpty();
        assertThat(ANNA.on(PeerIdentity.server(TestHello.io(3))))
                .isEqualTo(new Principal("anna", Set.of("staff"), false, 5, 6, 7, OptionalInt.of(3)));
        assertThat(ANNA.on(PeerIdentity.server(TestHello.mds(3)))).isEqualTo(ANNA);
        assertThat(ANNA.on(PeerIdentity.client("anna"))).isEqualTo(ANNA);
        assertThat(ANNA.on(PeerIdentity.admin("anna"))).isEqualTo(ANNA);
    }

    @Test
    void namesAreBoundedInBytes() {
        assertThat(PrincipalName.tooLong("owner", "a".repeat(255))).isEmpty();
        assertThat(PrincipalName.tooLong("owner", "a".repeat(256)))
                .contains("owner of 256 bytes, at most 255: '" + "a".repeat(40) + "...'");
        assertThat(PrincipalName.tooLong("group", "\u20ac".repeat(85))).isEmpty();
        assertThat(PrincipalName.tooLong("group", "\u20ac".repeat(86))).isPresent();
        assertThat(PrincipalName.tooLong("group", "")).isEmpty();
    }
}

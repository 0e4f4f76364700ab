package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.RawPage;
import io.steadfs.store.Damage;
import io.steadfs.store.SurvivingRows;
import io.steadfs.store.Table;
import io.steadfs.wire.proto.UnreadableHandles;
import io.steadfs.wire.proto.UnreadableRows;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What a check is told about rows that cannot be read. */
final class Unread {
    private Unread() {}

    /** The gaps of a page. */
    static List<UnreadableRows> of(Table table, List<SurvivingRows.Gap> gaps) {
        return gaps.stream()
                .map(gap -> UnreadableRows.newBuilder()
                        .setTable(table.name())
                        .setFrom(ByteString.copyFrom(gap.from()))
                        .setTo(RawPage.isEnd(gap.to()) ? ByteString.EMPTY : ByteString.copyFrom(gap.to()))
                        .setWhy(gap.why())
                        .build())
                .toList();
    }

    /** The gaps of a page of a table whose keys are handles, up to the last handle asked for. */
    static List<UnreadableHandles> handles(List<SurvivingRows.Gap> gaps, Handle last) {
        return gaps.stream()
                .map(gap -> UnreadableHandles.newBuilder()
                        .setFirst(above(gap.from()))
                        .setLast(Math.min(above(gap.to()) - 1, last.value()))
                        .setWhy(gap.why())
                        .build())
                .toList();
    }

    /** The least handle whose key is not below this one. */
    private static long above(byte[] key) {
        return Keys.longAt(Arrays.copyOf(key, Long.BYTES), 0) + (key.length > Long.BYTES ? 1 : 0);
    }

    /**
     * The answer that the rows give. If they cannot be read, the given answer, which must not lead anybody to conclude that
     * something does not exist.
     */
    static boolean orElse(boolean unknown, BooleanSupplier look) {
        try {
            return look.getAsBoolean();
        } catch (UncheckedIOException | IllegalStateException e) {
            var unused = Damage.why(e);
            return unknown;
        }
    }
}

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

/** Describes rows that cannot be read, for a check of the file system. */
final class Unread {
    private Unread() {}

    /** Describes the gaps of a page. A gap is a range of keys whose rows cannot be read. */
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

    /**
     * Describes the gaps of a page as ranges of handles. The keys of the table must be handles.
     *
     * @param last the last handle that the request asks for; no gap ends behind this handle
     */
    static List<UnreadableHandles> handles(List<SurvivingRows.Gap> gaps, Handle last) {
        return gaps.stream()
                .map(gap -> UnreadableHandles.newBuilder()
                        .setFirst(above(gap.from()))
                        .setLast(Math.min(above(gap.to()) - 1, last.value()))
                        .setWhy(gap.why())
                        .build())
                .toList();
    }

    /** The lowest handle whose key is equal to the given key or above it. */
    private static long above(byte[] key) {
        return Keys.longAt(Arrays.copyOf(key, Long.BYTES), 0) + (key.length > Long.BYTES ? 1 : 0);
    }

    /**
     * The result of {@code look}, or {@code unknown} if the rows cannot be read. The caller chooses the result for
     * unreadable rows so that nobody concludes that an object does not exist.
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

package io.steadfs.webui.check;

import com.google.protobuf.ByteString;
import io.steadfs.fsck.Work;
import io.steadfs.handle.Handle;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A finding of a pass, and what became of it.
 *
 * @param object empty where it is about none, as is {@code other}
 * @param key of its row, as hexadecimal digits; empty where it is not needed
 * @param table that its row is in; empty where that says nothing
 * @param until of rows that cannot be read, behind the last one, as hexadecimal digits; empty: to the end of the table
 * @param path of what it is about; empty where none is known
 * @param repair null where nothing was tried
 */
record FindingView(
        int pass,
        String kind,
        String server,
        String object,
        String other,
        String key,
        String table,
        String until,
        String path,
        String what,
        @Nullable Done repair) {
    /**
     * What a repair came to.
     *
     * @param done what was done, or why nothing was
     * @param removed bytes that are gone, as hexadecimal digits
     */
    record Done(boolean repaired, String done, String removed) {}

    static FindingView of(int pass, Work.Told told) {
        return new FindingView(
                pass,
                told.finding().kind().label(),
                told.finding().server(),
                text(told.finding().object()),
                text(told.finding().other()),
                hex(told.finding().key()),
                told.finding().table().label(),
                hex(told.finding().until()),
                told.path(),
                told.finding().what(),
                told.repair()
                        .map(each -> new Done(each.isRepaired(), each.what(), hex(each.removed())))
                        .orElse(null));
    }

    private static String text(Handle handle) {
        return handle.isNone() ? "" : handle.toString();
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }
}

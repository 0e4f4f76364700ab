package io.steadfs.webui.check;

import com.google.protobuf.ByteString;
import io.steadfs.fsck.Work;
import io.steadfs.handle.Handle;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A finding of a pass, and the outcome of its repair.
 *
 * @param object empty if the finding is about none; so is {@code other}
 * @param key of its row, as hexadecimal digits; empty if it is not needed
 * @param table of its row; empty if that says nothing
 * @param until for rows that cannot be read, the key behind the last one, as hexadecimal digits; empty: to the end of the table
 * @param path of the object; empty if none is known
 * @param repair null if none was tried
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
     * The result of a repair.
     *
     * @param done what was done, or why nothing was
     * @param removed bytes of the removed row, as hexadecimal digits
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

package io.steadfs.webui.check;

import com.google.protobuf.ByteString;
import io.steadfs.fsck.Work;
import io.steadfs.handle.Handle;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A finding of a pass, and the outcome of its repair.
 *
 * @param object object that the finding is about; empty if there is none
 * @param other other object that the finding is about; empty if there is none
 * @param key key of the finding's row, as hexadecimal digits; empty if readers do not need the key
 * @param table table of the finding's row; empty if the table tells readers nothing
 * @param until key after the last row that cannot be read, as hexadecimal digits. Empty = all rows to the end of the
 * table cannot be read. Only findings about such rows use this value.
 * @param path path of the object; empty if no path is known
 * @param repair outcome of the repair; null if no repair was tried
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
     * @param done what the repair did, or why the repair did nothing
     * @param removed bytes of the row that the repair removed, as hexadecimal digits
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

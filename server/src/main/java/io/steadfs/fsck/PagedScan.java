package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import java.io.IOException;

/**
 * Scans rows page by page. The findings of a page and the progress of the scan are one commit, so a scan that stopped continues behind the
 * last page that it committed.
 */
final class PagedScan {
    private PagedScan() {}

    /** What a scan does with each page. */
    interface PageReader {
        /**
         * Reads the page behind the key, and puts its findings into the batch.
         *
         * @param key empty for the first page
         */
        Looked look(ByteString key, WorkBatch batch) throws IOException;
    }

    /**
     * A page that was looked at.
     *
     * @param more whether there are rows behind it
     * @param last key of the page
     * @param rows in the page
     * @param share of the scan that is done, 0 to 1, if there are rows behind it
     */
    record Looked(boolean more, ByteString last, long rows, double share) {
        ScanProgress progress() {
            return new ScanProgress(more, last);
        }
    }

    /** @param scan its name, the same in every run */
    static void run(String scan, Work work, Pace pace, PageReader reader) throws IOException {
        ScanProgress at = ScanProgress.of(work, scan);
        while (at.more()) {
            Looked looked;
            try (WorkBatch batch = work.batch()) {
                looked = reader.look(at.last(), batch);
                batch.progress(scan, looked.progress().encode());
                batch.commit();
            }
            at = looked.progress();
            pace.did(looked.rows(), looked.more() ? looked.share() : 1);
        }
    }
}

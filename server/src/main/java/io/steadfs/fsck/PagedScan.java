package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import java.io.IOException;

/**
 * Scans rows page by page. One commit has both the findings of a page and the progress of the scan. So an interrupted
 * scan continues after the last committed page.
 */
final class PagedScan {
    private PagedScan() {}

    /** Reads the pages of a scan. */
    interface PageReader {
        /**
         * Reads the page after the key, and adds the page's findings to the batch.
         *
         * @param key last key of the page before; empty = the first page
         */
        Looked look(ByteString key, WorkBatch batch) throws IOException;
    }

    /**
     * The result of reading a page.
     *
     * @param more whether there are rows after this page
     * @param last last key of the page
     * @param rows number of rows in the page
     * @param share part of the scan that is done, from 0 to 1; not used after the last page
     */
    record Looked(boolean more, ByteString last, long rows, double share) {
        ScanProgress progress() {
            return new ScanProgress(more, last);
        }
    }

    /** @param scan name of the scan, which must be the same in every run */
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

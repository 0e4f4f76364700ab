package io.steadfs.mds.pipeline;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.List;

/**
 * The rules of copies of ancestors that the writer keeps (docs/decisions/0029). A batch that was decided with copies is
 * committed within their terms, or thrown away. A row that other shards have copies of changes only after they have
 * given the copies back.
 */
public interface CopyRules {
    /** Copies nothing, and nobody has copies. */
    CopyRules NONE = new CopyRules() {
        @Override
        public BatchCopies begin() {
            return BatchCopies.NONE;
        }

        @Override
        public void durable() {}

        @Override
        public Hold hold(List<LogRecord> records, ReadView before) {
            return Hold.NONE;
        }
    };

    /** Returns the copies for the decisions of one batch. */
    BatchCopies begin();

    /** Called when no batch is between {@link BatchCopies#publish} and its commit any more. */
    void durable();

    /**
     * Holds the rows that these records change, if other shards may have copies of such rows. Nobody gets a copy of a
     * held row.
     *
     * @param before the state that the records change
     */
    Hold hold(List<LogRecord> records, ReadView before);

    /** The copies that the decisions of one batch use. */
    interface BatchCopies {
        BatchCopies NONE = new BatchCopies() {
            @Override
            public AncestorCopies copies() {
                return AncestorCopies.NONE;
            }

            @Override
            public boolean publish() {
                return true;
            }
        };

        /** Returns the copies, and notes which are used. */
        AncestorCopies copies();

        /**
         * Publishes the end of the shortest term of a copy that was used, and then looks whether it is over. Readers that
         * meet a published end that is over wait until the batch is durable.
         *
         * @return whether the batch may be committed
         */
        boolean publish();
    }

    /** Rows that are about to change. */
    interface Hold {
        /** Holds nothing. */
        Hold NONE = new Hold() {
            @Override
            public boolean isFree() {
                return true;
            }

            @Override
            public void whenFree(Runnable then) {
                then.run();
            }

            @Override
            public void release() {}
        };

        /** Returns whether no other shard has a copy of the rows. Once true, it stays true until the release. */
        boolean isFree();

        /** Takes back the copies, and runs the action when no shard has a copy any more. From any thread. */
        void whenFree(Runnable then);

        /** Ends the hold. The change is durable, or will not be made. */
        void release();
    }
}

package io.steadfs.mds.duty;

import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.record.LogRecord;
import java.util.List;
import java.util.Map;

/** Wakes a duty after the commit of a record that means work for the duty. */
public final class WakeOnRecord implements CommitListener {
    private final Map<Class<? extends LogRecord>, Runnable> wakes;

    public WakeOnRecord(Map<Class<? extends LogRecord>, Runnable> wakes) {
        this.wakes = Map.copyOf(wakes);
    }

    @Override
    public void committed(List<LogRecord> records) {
        for (LogRecord record : records) {
            Runnable wake = wakes.get(record.getClass());
            if (wake != null) {
                wake.run();
            }
        }
    }
}

package io.steadfs.client.create;

import io.steadfs.config.ConfigKey;
import io.steadfs.layout.ProtocolName;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Chooses the create protocol that suits a client now. Each protocol that this class can choose makes a file by one
 * message. If first writes make the datafiles, the client leases nothing, because a lease would save no message. If
 * every new file needs datafiles at once, the client's rate of creates decides. A client that makes few files leaves
 * the datafiles to the directory's shard, so that the client holds no leases. A client that makes many files leases
 * datafiles itself, so that the shard need not lease datafiles. Thread-safe.
 */
public final class AdaptiveCreate {
    public static final ConfigKey<Long> RATE = ConfigKey.number(
            "stead.create.adaptive.rate",
            50,
            1,
            1_000_000,
            "files/s",
            "Rate of creates from which a client leases datafiles itself, if every new file needs datafiles at once."
                    + " The client stops leasing datafiles below half of this rate.");

    private final boolean eager;
    private final double threshold;
    private final CreateRate rate;
    private boolean leasing;

    private final LongAdder onWrite = new LongAdder();
    private final LongAdder few = new LongAdder();
    private final LongAdder many = new LongAdder();

    AdaptiveCreate(boolean eager, long threshold, CreateRate rate) {
        this.eager = eager;
        this.threshold = threshold;
        this.rate = rate;
    }

    /** Chooses the protocol for one more file. */
    ProtocolName choose() {
        if (!eager) {
            onWrite.increment();
            return ProtocolName.UNIFIED;
        }
        boolean leasesNow;
        synchronized (this) {
            leasing = rate.count() >= (leasing ? threshold / 2 : threshold);
            leasesNow = leasing;
        }
        (leasesNow ? many : few).increment();
        return leasesNow ? ProtocolName.UNIFIED : ProtocolName.DELEGATED;
    }

    /** Adds how often this class has chosen each protocol, with one counter for each reason. */
    void addTo(Map<String, Long> counters) {
        counters.put("create.adaptive.unified.datafiles-on-write", onWrite.sum());
        counters.put("create.adaptive.delegated.few-files", few.sum());
        counters.put("create.adaptive.unified.many-files", many.sum());
    }
}

package io.steadfs.client.create;

import io.steadfs.config.ConfigKey;
import io.steadfs.layout.ProtocolName;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which protocol suits a client now. All that it chooses among take one message. Where columns get their datafiles by first writes, nothing
 * is leased: a lease would save no message. Where datafiles are wanted at once, the rate of creates decides. A client that makes few files
 * leaves the datafiles to the directory's shard, so that the client holds no leases. A client that makes many files leases them itself, and
 * takes that work off the shard. Thread-safe.
 */
public final class AdaptiveCreate {
    public static final ConfigKey<Long> RATE = ConfigKey.number(
            "stead.create.adaptive.rate",
            50,
            1,
            1_000_000,
            "files/s",
            "A client that makes at least so many files leases their datafiles itself, where they are wanted at once; until it"
                    + " makes less than half.");

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

    /** Adds how often each protocol was chosen, and why. */
    void addTo(Map<String, Long> counters) {
        counters.put("create.adaptive.unified.datafiles-on-write", onWrite.sum());
        counters.put("create.adaptive.delegated.few-files", few.sum());
        counters.put("create.adaptive.unified.many-files", many.sum());
    }
}

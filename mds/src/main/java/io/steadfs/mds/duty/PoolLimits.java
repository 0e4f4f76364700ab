package io.steadfs.mds.duty;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.pool.PoolSize;
import java.util.List;

/** Limits on the number of handles that a shard leases at once for the creates that are delegated to it. */
public final class PoolLimits {
    static final ConfigKey<Long> LEAST = ConfigKey.number(
            "stead.mds.lease.handles.min",
            20,
            1,
            4096,
            "handles",
            "Fewest handles in a lease that a shard asks an IO server for.");
    static final ConfigKey<Long> MOST = ConfigKey.number(
            "stead.mds.lease.handles.max",
            4096,
            1,
            1 << 14,
            "handles",
            "Most handles in a lease that a shard asks an IO server for; between the two it asks for those of two seconds.");
    public static final ConfigKeys KEYS = new ConfigKeys(List.of(LEAST, MOST));

    private PoolLimits() {}

    public static PoolSize of(Settings settings) {
        int least = settings.get(LEAST).intValue();
        return new PoolSize(least, Math.max(least, settings.get(MOST).intValue()), true);
    }
}

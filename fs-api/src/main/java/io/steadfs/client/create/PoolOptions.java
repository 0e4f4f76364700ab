package io.steadfs.client.create;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.pool.PoolSize;
import java.util.List;

/** Options that say how many handles a client leases at once. */
public final class PoolOptions {
    static final ConfigKey<Long> LEAST = ConfigKey.number(
            "stead.client.lease.handles.min",
            20,
            1,
            4096,
            "handles",
            "Fewest handles in a lease that a client asks an IO server for.");
    static final ConfigKey<Long> MOST = ConfigKey.number(
            "stead.client.lease.handles.max",
            4096,
            1,
            1 << 14,
            "handles",
            "Most handles in a lease that a client asks an IO server for. Within both limits, a client asks for as many"
                    + " handles as it uses in two seconds.");
    static final ConfigKey<Boolean> AHEAD = ConfigKey.flag(
            "stead.client.lease.ahead",
            true,
            "Whether a client asks for more handles while it still has some; if false, it asks when no handle is left,"
                    + " and creates wait.");
    public static final List<ConfigKey<?>> KEYS = List.of(LEAST, MOST, AHEAD);

    private PoolOptions() {}

    public static PoolSize of(Settings settings) {
        int least = settings.get(LEAST).intValue();
        return new PoolSize(least, Math.max(least, settings.get(MOST).intValue()), settings.get(AHEAD));
    }
}

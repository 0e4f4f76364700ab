package io.steadfs.ioserver.op;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.ioserver.lease.LeaseRow;
import java.util.List;

/**
 * Limits of leases: how long a lease lasts, and how many handles may be leased.
 *
 * @param durationMillis how long a lease lasts if it is not renewed, in milliseconds
 * @param grantMost highest number of handles of one lease
 * @param holderMost highest number of unused handles in all leases of one holder
 * @param most highest number of unused handles in all leases of this server
 * @param leasesMost highest number of leases of this server that have not ended
 */
public record LeaseLimits(long durationMillis, int grantMost, long holderMost, long most, long leasesMost) {
    static final ConfigKey<Long> DURATION = ConfigKey.number(
            "stead.io.lease.duration",
            300_000,
            200,
            86_400_000,
            "milliseconds",
            "How long leased handles stay their holder's without a renewal.");
    static final ConfigKey<Long> GRANT_MOST = ConfigKey.number(
            "stead.io.lease.handles.grant",
            4096,
            1,
            LeaseRow.MOST_HANDLES,
            "handles",
            "Most handles of one lease; who asks for more gets these.");
    static final ConfigKey<Long> HOLDER_MOST = ConfigKey.number(
            "stead.io.lease.handles.holder",
            1 << 18,
            1,
            1 << 30,
            "handles",
            "Most unused handles in all leases of one client at this server; above it the server answers BUSY.");
    static final ConfigKey<Long> MOST = ConfigKey.number(
            "stead.io.lease.handles.all",
            4 << 20,
            1,
            1L << 36,
            "handles",
            "Most unused handles in all leases of this server; above it the server answers BUSY.");

    static final ConfigKey<Long> LEASES_MOST = ConfigKey.number(
            "stead.io.lease.count",
            1 << 19,
            1,
            1 << 30,
            "",
            "Most leases of this server that have not ended, used or not; above it the server answers BUSY.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(DURATION, GRANT_MOST, HOLDER_MOST, MOST, LEASES_MOST));

    public static LeaseLimits of(Settings settings) {
        return new LeaseLimits(
                settings.get(DURATION),
                settings.get(GRANT_MOST).intValue(),
                settings.get(HOLDER_MOST),
                settings.get(MOST),
                settings.get(LEASES_MOST));
    }
}

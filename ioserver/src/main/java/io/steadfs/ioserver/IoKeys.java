package io.steadfs.ioserver;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.disk.Space;
import io.steadfs.ioserver.duty.ConfirmDatafiles;
import io.steadfs.ioserver.duty.ReclaimLeases;
import io.steadfs.ioserver.duty.SpaceReport;
import io.steadfs.ioserver.op.LeaseLimits;
import io.steadfs.server.Administrators;
import java.util.List;

/** Configuration keys of the IO server itself. The keys of its network, store and membership are in other classes. */
public final class IoKeys {
    public static final ConfigKey<Long> LANES = ConfigKey.number(
            "stead.io.lanes",
            4,
            1,
            64,
            "threads",
            "Single-threaded cores of an IO server, each writing its share of the datafiles. May change at a restart.");

    public static final ConfigKey<Long> QUEUE = ConfigKey.number(
            "stead.io.queue.requests",
            4096,
            16,
            1 << 20,
            "requests",
            "Requests that wait at one lane; above it the server answers BUSY.");

    public static final ConfigKey<Long> QUEUE_BYTES = ConfigKey.number(
            "stead.io.queue.bytes",
            64L << 20,
            4L << 20,
            1L << 40,
            "bytes",
            "Data that waits at one lane; above it the server answers BUSY.");

    public static final ConfigKey<Long> BATCH = ConfigKey.number(
            "stead.io.batch.requests",
            512,
            1,
            1 << 20,
            "requests",
            "Most requests that a lane carries out in one batch.");

    public static final ConfigKey<Long> SMALL_MAX = ConfigKey.number(
            "stead.io.small.max",
            64L << 10,
            0,
            64L << 10,
            "bytes",
            "Datafiles up to this size are kept in the store, larger ones in a file each.");

    public static final ConfigKey<Long> OPEN_MAX = ConfigKey.number(
            "stead.io.open.max",
            4096,
            1,
            1 << 20,
            "datafiles",
            "Datafiles being written that the server keeps in memory; above it the longest untouched are synced and"
                    + " dropped.");

    public static final ConfigKey<Long> OPEN_BYTES = ConfigKey.number(
            "stead.io.open.bytes",
            64L << 20,
            1,
            1L << 40,
            "bytes",
            "Memory for bytes and checksums of those datafiles; above it the longest untouched are synced and"
                    + " dropped.");

    public static final ConfigKey<Long> FILES_OPEN = ConfigKey.number(
            "stead.io.files.open",
            1024,
            1,
            1 << 20,
            "files",
            "Files kept open for reading and writing; more only while more are in use.");

    public static final ConfigKey<Long> READERS =
            ConfigKey.number("stead.io.readers", 4, 1, 1024, "threads", "Threads that begin reads, beside the lanes.");

    public static final ConfigKey<Long> READ_QUEUE = ConfigKey.number(
            "stead.io.read.queue",
            4096,
            16,
            1 << 20,
            "requests",
            "Reads that wait for a thread; above it the server answers BUSY.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(
                    LANES,
                    QUEUE,
                    QUEUE_BYTES,
                    BATCH,
                    SMALL_MAX,
                    OPEN_MAX,
                    OPEN_BYTES,
                    FILES_OPEN,
                    READERS,
                    READ_QUEUE,
                    ConfirmDatafiles.AFTER,
                    ConfirmDatafiles.INTERVAL,
                    ReclaimLeases.INTERVAL,
                    SpaceReport.INTERVAL))
            .and(Space.KEYS)
            .and(Administrators.KEYS)
            .and(LeaseLimits.KEYS);

    private IoKeys() {}
}

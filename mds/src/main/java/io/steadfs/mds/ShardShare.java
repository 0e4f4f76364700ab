package io.steadfs.mds;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.config.ConfigException;
import io.steadfs.config.ConfigKey;
import io.steadfs.membership.FileSystemFormat;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Decides which shards a metadata server hosts:
 *
 * <pre>
 * stead.mds.shards   hosts
 * -----------------  -----------------------------------------------------------------------------
 * "0,2"              these, and those that it hosted before: their stores are in its directory
 * empty              its share, and those that it hosted before; of n servers, server k has the
 *                    shards s with s mod n = k - 1; n is stead.format.mds of the file system
 * </pre>
 *
 * The share is of the shards that {@code stead format} made. Shards that were added later have their hosts in the format.
 * A shard that has moved is where it moved to, whatever this table says.
 */
final class ShardShare {
    static final ConfigKey<SortedSet<Integer>> CONFIGURED = new ConfigKey<>(
            "stead.mds.shards",
            "",
            "",
            "Numbers of the shards that this metadata server hosts, separated by commas; empty = its share of the shards"
                    + " dealt out by stead.format.mds. What it hosted before stays with it, and so do shards that were"
                    + " added for it, unless they have moved.",
            ShardShare::parse);

    private ShardShare() {}

    private static SortedSet<Integer> parse(String text) {
        SortedSet<Integer> shards = new TreeSet<>();
        if (text.isBlank()) {
            return shards;
        }
        for (String each : text.split(",", -1)) {
            String digits = each.trim();
            if (!digits.matches("[0-9]{1,3}") || Integer.parseInt(digits) >= FileSystemFormat.MAX_SHARDS) {
                throw new IllegalArgumentException(
                        "'" + digits + "' is no shard, 0 to " + (FileSystemFormat.MAX_SHARDS - 1));
            }
            if (!shards.add(Integer.valueOf(digits))) {
                throw new IllegalArgumentException("names shard " + digits + " twice");
            }
        }
        return Collections.unmodifiableSortedSet(shards);
    }

    /**
     * The numbers of the shards to host. There may be none: then the server waits for shards to be added for it.
     *
     * @param configured value of {@link #CONFIGURED}
     * @param server number of the metadata server
     * @param servers number of servers among which the shards are divided
     * @param before numbers of the shards that the server has hosted before, and of those that were added for it
     * @throws ConfigException if the server would host a shard that does not exist
     */
    static SortedSet<Integer> of(
            SortedSet<Integer> configured, int server, int servers, ShardCounts shards, SortedSet<Integer> before) {
        SortedSet<Integer> share = new TreeSet<>(configured);
        for (int shard = server - 1;
                configured.isEmpty() && server <= servers && shard < shards.formatted();
                shard += servers) {
            share.add(shard);
        }
        share.addAll(before);
        if (!share.isEmpty() && !shards.has(share.last())) {
            throw new ConfigException("mds-" + server + " cannot host shard " + share.last() + " (" + CONFIGURED.name()
                    + "): the file system has " + shards.all() + " shard(s)");
        }
        return share;
    }
}

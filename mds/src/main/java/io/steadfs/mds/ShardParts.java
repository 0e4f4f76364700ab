package io.steadfs.mds;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.config.Settings;
import io.steadfs.mds.copy.ShardCopies;
import io.steadfs.mds.duty.HandOvers;
import io.steadfs.mds.duty.NameRates;
import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.peer.CopyQuestions;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.watch.Watches;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;

/**
 * The parts of a shard that its operations and duties use.
 *
 * @param outside the parts that the shard gets from outside
 * @param copies copies of directories that other shards own, and those that other shards have
 * @param questions asks other shards for copies
 * @param peers sends messages to the other shards
 * @param awaitedShards other shards that did not answer, with the intents that wait for these shards
 */
record ShardParts(
        Settings settings,
        ShardService.Dependencies outside,
        MetadataLog log,
        ShardInputs inputs,
        ShardCore core,
        Watches watches,
        SessionTimes sessionTimes,
        NameRates nameRates,
        HandOvers handOvers,
        ShardCopies copies,
        CopyQuestions questions,
        Peers peers,
        IntentPeers intentPeers,
        AwaitedShards awaitedShards) {
    static ShardParts of(
            Settings settings,
            ShardService.Dependencies outside,
            MetadataLog log,
            ShardInputs inputs,
            ShardCore core,
            Watches watches,
            SessionTimes sessionTimes,
            NameRates nameRates,
            HandOvers handOvers,
            ShardCopies copies,
            CopyQuestions questions,
            Peers peers) {
        return new ShardParts(
                settings,
                outside,
                log,
                inputs,
                core,
                watches,
                sessionTimes,
                nameRates,
                handOvers,
                copies,
                questions,
                peers,
                new IntentPeers(outside.shard(), peers, log::committed),
                new AwaitedShards());
    }

    ReadView committed() {
        return log.committed();
    }

    int shard() {
        return outside.shard();
    }

    ShardCounts shards() {
        return ShardCounts.of(outside.cluster().get());
    }

    Clock clock() {
        return outside.clock();
    }

    Scheduler scheduler() {
        return outside.scheduler();
    }

    /** Duration of a session in milliseconds. */
    long sessionMillis() {
        return settings.get(SessionTimes.DURATION);
    }
}

package io.steadfs.mds;

import io.steadfs.membership.SequenceRecord;
import io.steadfs.membership.ShardPlace;
import java.util.Collections;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** Neighbours of a server whose shards stay. */
abstract class StillNeighbours implements Neighbours {
    @Override
    public SortedMap<Integer, ShardPlace> places() {
        return Collections.unmodifiableSortedMap(new TreeMap<>());
    }

    @Override
    public void tellPlaces(Runnable changed) {}

    @Override
    public ShardPlace confirm(int shard) {
        throw moves(shard);
    }

    @Override
    public ShardPlace give(int shard, int target, int move) {
        throw moves(shard);
    }

    @Override
    public OptionalInt take(int shard, int move) {
        throw moves(shard);
    }

    @Override
    public SequenceRecord stopReserving(int shard) {
        throw moves(shard);
    }

    @Override
    public void adoptReserve(int shard, SequenceRecord record) {
        throw moves(shard);
    }

    @Override
    public void forgetReserve(int shard) {
        throw moves(shard);
    }

    @Override
    public void opened(int shard) {
        throw moves(shard);
    }

    private static AssertionError moves(int shard) {
        return new AssertionError("shard " + shard + " moves");
    }
}

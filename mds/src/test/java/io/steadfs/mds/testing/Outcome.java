package io.steadfs.mds.testing;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Command;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.store.ReadView;
import java.util.Optional;
import java.util.function.BiFunction;

/** A command that remembers how it ended. */
public final class Outcome<A> implements Command<A> {
    private final BiFunction<ReadView, Inputs, Decision<A>> decide;
    private final int sizeBytes;
    private Optional<A> answer = Optional.empty();
    private Optional<Throwable> failure = Optional.empty();
    private Optional<FsError> dropped = Optional.empty();
    private String why = "";
    private int ends;
    private boolean cancelled;
    private boolean here;
    private boolean decidedHere;

    public Outcome(BiFunction<ReadView, Inputs, Decision<A>> decide) {
        this(decide, 1);
    }

    public Outcome(BiFunction<ReadView, Inputs, Decision<A>> decide, int sizeBytes) {
        this.decide = decide;
        this.sizeBytes = sizeBytes;
    }

    /** Lets the thread that submits the command decide and commit it. */
    public Outcome<A> here() {
        here = true;
        return this;
    }

    /** Lets the thread that submits the command decide it while another batch is committed. */
    public Outcome<A> decidedHere() {
        decidedHere = true;
        return this;
    }

    public void cancel() {
        cancelled = true;
    }

    /** How often it heard an end: 0 or 1. */
    public int ends() {
        return ends;
    }

    public Optional<A> answer() {
        return answer;
    }

    public Optional<Throwable> failure() {
        return failure;
    }

    public Optional<FsError> dropped() {
        return dropped;
    }

    public String why() {
        return why;
    }

    @Override
    public Decision<A> decide(ReadView view, Inputs inputs) {
        return decide.apply(view, inputs);
    }

    @Override
    public synchronized void answered(A given) {
        ends++;
        answer = Optional.of(given);
    }

    @Override
    public synchronized void failed(Throwable cause) {
        ends++;
        failure = Optional.of(cause);
    }

    @Override
    public synchronized void dropped(FsError error, String reason) {
        ends++;
        dropped = Optional.of(error);
        why = reason;
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public boolean mayRunHere() {
        return here;
    }

    @Override
    public boolean mayBeDecidedHere() {
        return decidedHere;
    }

    @Override
    public int sizeBytes() {
        return sizeBytes;
    }
}

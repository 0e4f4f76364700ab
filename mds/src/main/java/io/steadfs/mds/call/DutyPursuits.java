package io.steadfs.mds.call;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Command;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.store.ReadView;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Submits the commands of one duty. The decisions of these commands may need facts from other shards. A decision that needs facts throws
 * {@link io.steadfs.mds.pipeline.Missing}, like the decision of a request. A {@link Pursuit} asks for the facts.
 *
 * <ul>
 *   <li>Each command gets exactly one outcome.
 *   <li>At most one command of a subject is under way. A second command is dropped at once with BUSY.
 *   <li>A command makes one attempt. If a shard gives no definite answer, the command is dropped with BUSY. The next
 *       round of the duty is the next attempt.
 *   <li>After {@link #stop} no decision runs and no shard is asked. A late answer changes nothing.
 *   <li>All commands are in memory only. After a restart the duty looks at the committed state and begins anew.
 * </ul>
 *
 * Thread-safe.
 */
public final class DutyPursuits {
    private final String duty;
    private final PursuitGround ground;
    private final AtomicLong attempts = new AtomicLong();
    private final ConcurrentMap<String, PursuitKey.OfDuty> underWay = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    /** @param duty name of the duty, for the log */
    public DutyPursuits(String duty, PursuitGround ground) {
        this.duty = duty;
        this.ground = ground.withPatience(0);
    }

    /**
     * Queues the command and returns at once. The command may get its outcome on any thread.
     *
     * @param subject name for the log of what the duty works on
     */
    public <A> void submit(String subject, InternalCommand<A> command) {
        submit(subject, 0, command, answer -> true);
    }

    /**
     * As {@link #submit(String, InternalCommand)}, for a command that may need something held at other shards.
     *
     * @param held number under which intents for the subject are kept. It is not 0, and no other subject has it
     * @param done tests whether an answer means that the command was done; other shards then commit what they hold
     */
    public <A> void submit(String subject, long held, InternalCommand<A> command, Predicate<A> done) {
        PursuitKey.OfDuty key = new PursuitKey.OfDuty(duty, subject, attempts.incrementAndGet(), held);
        PursuitKey.OfDuty before = underWay.putIfAbsent(subject, key);
        if (before != null) {
            command.dropped(FsError.BUSY, before + " is under way already");
            return;
        }
        try {
            new Pursuit<>(Pursued.ofDuty(key, new OfSubject<>(key, command), done), ground).begin();
        } catch (RuntimeException | Error e) {
            // A subject that stays marked would be BUSY at each later attempt.
            underWay.remove(subject, key);
            throw e;
        }
    }

    /** Ends all commands that are under way. May be called from any thread. */
    public void stop() {
        stopped = true;
    }

    /** A command whose subject is marked as under way. */
    private final class OfSubject<A> implements Command<A> {
        private final PursuitKey.OfDuty key;
        private final InternalCommand<A> command;

        OfSubject(PursuitKey.OfDuty key, InternalCommand<A> command) {
            this.key = key;
            this.command = command;
        }

        @Override
        public Decision<A> decide(ReadView view, Inputs inputs) {
            return command.decide(view, inputs);
        }

        @Override
        public boolean isCancelled() {
            return stopped || command.isCancelled();
        }

        @Override
        public void answered(A answer) {
            underWay.remove(key.subject(), key);
            command.answered(answer);
        }

        @Override
        public void failed(Throwable cause) {
            underWay.remove(key.subject(), key);
            command.failed(cause);
        }

        @Override
        public void dropped(FsError error, String why) {
            underWay.remove(key.subject(), key);
            command.dropped(error, why);
        }

        @Override
        public int sizeBytes() {
            return command.sizeBytes();
        }

        @Override
        public String toString() {
            return key.toString();
        }
    }
}

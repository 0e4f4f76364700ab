package io.steadfs.it.model;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.client.reference.ReferenceFs;
import io.steadfs.it.model.ModelOperation.Change;
import io.steadfs.it.model.ModelOperation.Find;
import io.steadfs.it.model.ModelOperation.Finish;
import io.steadfs.it.model.ModelOperation.GetXattrs;
import io.steadfs.it.model.ModelOperation.ListTree;
import io.steadfs.it.model.ModelOperation.Mkdirs;
import io.steadfs.it.model.ModelOperation.Read;
import io.steadfs.it.model.ModelOperation.Summarize;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Random operations of some callers below one directory, on the reference and on the file system under test. Two
 * callers do nearly all of them; the superuser does one in ten, so that owners change and what nobody else may
 * touch goes away. One thread.
 */
public final class ModelRun {
    private static final int OPERATOR_SHARE = 20;

    private final Random random;
    private final FsPath base;
    private final OperationSource source;
    private final Lockstep lockstep;
    private final List<Caller> callers = new ArrayList<>();
    private final Caller operator;

    /** One caller on both file systems. */
    private record Caller(String name, Participant reference, Participant tested) {}

    /** A user of the file system under test. */
    public record User(String name, List<String> groups, SteadFs fs) {}

    /**
     * @param seed of all that is random
     * @param base directory below which all happens; the root or a directory to be made
     * @param operator superuser
     * @param users who do most operations
     */
    public ModelRun(long seed, FsPath base, User operator, List<User> users) {
        this.random = new Random(seed);
        this.base = base;
        this.source = new OperationSource(random, base);
        this.lockstep = new Lockstep("-Dstead.seed=" + seed + ", below " + base);
        ReferenceFs reference = ReferenceFs.format(operator.name());
        this.operator = caller(reference, operator);
        for (User user : users) {
            callers.add(caller(reference, user));
        }
    }

    private static Caller caller(ReferenceFs reference, User user) {
        Participant expected = new Participant(reference.as(user.name(), user.groups()));
        return new Caller(user.name(), expected, new Participant(user.fs()));
    }

    private void step(Caller caller, ModelOperation operation) {
        lockstep.step(caller.name(), operation, caller.reference(), caller.tested());
    }

    /** Lets everybody work below the base. */
    public void prepare() {
        if (!base.isRoot()) {
            step(operator, new Mkdirs(base, 0777, true, true));
        }
        step(operator, new Change(base, AttributeChange.mode(0777)));
        step(operator, new Mkdirs(OperationSource.wide(base), 0777, false, true));
        for (ModelOperation operation : source.manyNames()) {
            step(operator, operation);
        }
    }

    /** @throws AssertionError at the first difference */
    public void run(long operations) {
        for (long i = 0; i < operations; i++) {
            int share = random.nextInt(OPERATOR_SHARE);
            if (share < 2) {
                step(operator, share == 0 ? source.next() : source.tidy());
            } else {
                step(callers.get(random.nextInt(callers.size())), source.next());
            }
        }
    }

    /** Closes every file that is still written. */
    public void finish() {
        for (int slot = 0; slot < Participant.SLOTS; slot++) {
            step(operator, new Finish(slot));
            for (Caller caller : callers) {
                step(caller, new Finish(slot));
            }
        }
    }

    /** Compares everything below the base, with contents. */
    public void compareAll() throws IOException {
        step(operator, new Find(base));
        step(operator, new ListTree(base, true));
        step(operator, new Summarize(base));
        Iterator<Entry> entries = operator.reference().fs().listTree(base, true);
        while (entries.hasNext()) {
            Entry entry = entries.next();
            FsPath path = FsPath.parse(base.isRoot() ? entry.name() : base.relative() + "/" + entry.name());
            step(operator, new GetXattrs(path, List.of()));
            if (!entry.info().directory()) {
                step(operator, new Read(path, 0, 1));
            }
        }
    }

    /** How many files the reference has, and how many of them have bytes. */
    public long filesWithBytes() throws IOException {
        long count = 0;
        Iterator<Entry> entries = operator.reference().fs().listTree(base, false);
        while (entries.hasNext()) {
            count += entries.next().info().length() > 0 ? 1 : 0;
        }
        return count;
    }

    public long steps() {
        return lockstep.steps();
    }

    public Map<String, Long> outcomes() {
        return lockstep.outcomes();
    }

    /** Makes a file that only the file system under test knows; for tests of the comparison itself. */
    void plantDifference(FsPath path) throws IOException {
        operator.tested().fs().create(path, CreateOptions.DEFAULT).close();
    }
}

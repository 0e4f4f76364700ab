package io.steadfs.lab.bench;

import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.counting.MeteredTransport;
import io.steadfs.client.write.FileWriter;
import io.steadfs.lab.bench.pace.Latencies;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** A client that creates files one after another. Only one thread at a time may use a client. */
final class CreateClient {
    /** Largest number of bytes that the client gives to the file writer in one call. */
    private static final int PIECE = 1 << 20;

    private final Connection connection;
    private final CreatePlan plan;
    private final FsPath directory;
    private final String prefix;
    private final byte[] data;

    private Latencies create = new Latencies();
    private Latencies whole = new Latencies();
    private long createSteps;
    private long wholeSteps;
    private int made;

    CreateClient(Connection connection, CreatePlan plan, FsPath directory, String prefix) {
        this.connection = connection;
        this.plan = plan;
        this.directory = directory;
        this.prefix = prefix;
        this.data = new byte[Math.min(plan.bytes(), PIECE)];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) i;
        }
    }

    /** Resets all measurements of this client. */
    void reset() {
        create = new Latencies();
        whole = new Latencies();
        createSteps = 0;
        wholeSteps = 0;
    }

    /** @param done counter that the client raises by one for each finished file */
    void createFiles(int files, AtomicLong done) throws IOException {
        MeteredTransport transport = connection.transport();
        for (int i = 0; i < files; i++) {
            FsPath path = directory.child(prefix + made++);
            transport.beginOperation();
            long begun = System.nanoTime();
            FileWriter writer = connection.fs().create(path, plan.options());
            long created = System.nanoTime();
            createSteps += transport.steps();
            for (int left = plan.bytes(); left > 0; left -= PIECE) {
                writer.write(data, 0, Math.min(left, PIECE));
            }
            writer.close();
            long closed = System.nanoTime();
            wholeSteps += transport.steps();
            create.record(created - begun);
            whole.record(closed - begun);
            done.incrementAndGet();
        }
    }

    /**
     * Time from the start of each create until {@code create} returns. The file's name is durable once {@code create}
     * returns.
     */
    Latencies create() {
        return create;
    }

    /**
     * Time from the start of each create until {@code close} returns. The file's bytes and length are durable once
     * {@code close} returns.
     */
    Latencies whole() {
        return whole;
    }

    long createSteps() {
        return createSteps;
    }

    long wholeSteps() {
        return wholeSteps;
    }
}

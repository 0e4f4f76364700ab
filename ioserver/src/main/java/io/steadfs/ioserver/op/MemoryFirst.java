package io.steadfs.ioserver.op;

import io.steadfs.rpc.RequestHandler.Call;

/**
 * READ: answers a read on the transport's thread if the bytes are in memory, because this costs less than waking
 * another thread. Other reads may have to wait for a disk and go to the readers. A datafile whose bytes are in memory
 * has at most one chunk.
 */
public final class MemoryFirst implements IoOperation {
    private final ReadDatafile read;
    private final IoOperation beside;

    public MemoryFirst(ReadDatafile read, CountedReads readers) {
        this.read = read;
        this.beside = new Beside(readers, read);
    }

    @Override
    public void handle(Call call) {
        if (!read.isAnsweredFromMemory(call)) {
            beside.handle(call);
        }
    }
}

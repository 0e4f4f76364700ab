package io.steadfs.ioserver.op;

import io.steadfs.rpc.RequestHandler.Call;

/**
 * READ: what is in memory is answered on the transport's thread, which it costs less than waking another one would; the
 * rest may have to wait for a disk, and is for the readers. A datafile whose bytes are in memory has a chunk at most.
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

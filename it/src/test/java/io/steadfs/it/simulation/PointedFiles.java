package io.steadfs.it.simulation;

import io.netty.buffer.ByteBuf;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.file.DataFile;
import io.steadfs.ioserver.file.DataFiles;
import io.steadfs.rpc.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The files of an IO server's process, with a crash point before and after each step that changes one. */
final class PointedFiles implements DataFiles {
    private final DataFiles inner;
    private final SimulatedProcess process;
    private final CrashPoints points;

    PointedFiles(DataFiles inner, SimulatedProcess process, CrashPoints points) {
        this.inner = inner;
        this.process = process;
        this.points = points;
    }

    private interface Step<T> {
        T run() throws IOException;
    }

    private <T> T step(String name, Step<T> step) throws IOException {
        pass(name, "before");
        T result = step.run();
        pass(name, "after");
        return result;
    }

    private void step(String name, Closing step) throws IOException {
        pass(name, "before");
        step.run();
        pass(name, "after");
    }

    private interface Closing {
        void run() throws IOException;
    }

    private void pass(String name, String when) throws IOException {
        if (!points.pass(process, process.role() + ' ' + name + ' ' + when)) {
            throw new IOException(process + " is dead");
        }
    }

    @Override
    public DataFile create(Handle handle) throws IOException {
        return new Pointed(step("creates a file", () -> inner.create(handle)));
    }

    @Override
    public DataFile open(Handle handle) throws IOException {
        return new Pointed(inner.open(handle));
    }

    @Override
    public void delete(Handle handle) throws IOException {
        step("deletes a file", () -> inner.delete(handle));
    }

    @Override
    public void syncDirectory(int directory) throws IOException {
        step("syncs a directory", () -> inner.syncDirectory(directory));
    }

    @Override
    public int directoryOf(Handle handle) {
        return inner.directoryOf(handle);
    }

    @Override
    public void visit(Visitor visitor) throws IOException {
        inner.visit(visitor);
    }

    @Override
    public String locationOf(Handle handle) {
        return inner.locationOf(handle);
    }

    @Override
    public long capacityBytes() throws IOException {
        return inner.capacityBytes();
    }

    @Override
    public long freeBytes() throws IOException {
        return inner.freeBytes();
    }

    @Override
    public String place() {
        return inner.place();
    }

    @Override
    public void close() {
        inner.close();
    }

    private final class Pointed implements DataFile {
        private final DataFile file;

        Pointed(DataFile file) {
            this.file = file;
        }

        @Override
        public long sizeBytes() throws IOException {
            return file.sizeBytes();
        }

        @Override
        public void read(ByteBuffer target, long offset) throws IOException {
            file.read(target, offset);
        }

        @Override
        public void write(ByteBuf source, long offset) throws IOException {
            step("writes to a file", () -> file.write(source, offset));
        }

        @Override
        public void sync() throws IOException {
            step("syncs a file", file::sync);
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            step("cuts a file", () -> file.truncate(sizeBytes));
        }

        @Override
        public Payload region(long offset, long count, Runnable whenReleased) throws IOException {
            return file.region(offset, count, whenReleased);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}

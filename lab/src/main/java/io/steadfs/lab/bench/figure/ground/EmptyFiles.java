package io.steadfs.lab.bench.figure.ground;

import io.steadfs.cli.connect.Connection;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.path.FsPath;
import java.io.IOException;

/** A client that makes empty files one after another. Only one thread at a time may use a client. */
public final class EmptyFiles {
    private final Connection connection;
    private final int number;
    private long made;

    /** @param number number of this client, from 0 on; its files have other names than those of other clients */
    public EmptyFiles(Connection connection, int number) {
        this.connection = connection;
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** Creates one file and closes it. */
    public void make(FsPath directory) throws IOException {
        connection
                .fs()
                .create(directory.child("client-" + number + "-file-" + made++), CreateOptions.DEFAULT)
                .close();
    }
}

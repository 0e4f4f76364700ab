package io.steadfs.it.listing;

import com.google.protobuf.ByteString;
import io.steadfs.client.SteadFs;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.Iterator;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RemoteIterator;

/** Ways to list a directory page by page. */
enum Way {
    /** Hadoop's listing of attributes. */
    STATUS {
        @Override
        void list(Clients clients, FsPath path, Each each) throws IOException {
            statuses(clients.hadoop().listStatusIterator(hadoop(path)), each);
        }
    },
    /** Hadoop's listing of attributes and places of data. */
    LOCATED {
        @Override
        void list(Clients clients, FsPath path, Each each) throws IOException {
            statuses(clients.hadoop().listLocatedStatus(hadoop(path)), each);
        }
    },
    /** The client's listing, with whole paths. */
    DIRECT {
        @Override
        void list(Clients clients, FsPath path, Each each) throws IOException {
            entries(clients.direct().list(path), each);
        }
    },
    /** The client's listing, whose requests walk from the root. */
    COMPONENT {
        @Override
        void list(Clients clients, FsPath path, Each each) throws IOException {
            entries(clients.component().list(path), each);
        }
    },
    /** One page after the other, as the web interface shows them. */
    PAGES {
        @Override
        void list(Clients clients, FsPath path, Each each) throws IOException {
            ByteString cursor = ByteString.EMPTY;
            do {
                ListPage page = clients.direct().list(path, cursor, PAGE);
                entries(page.entries().iterator(), each);
                cursor = page.cursor();
            } while (!cursor.isEmpty());
        }
    },
    /** The listing of a tree, which has nothing but this directory. */
    TREE {
        @Override
        void list(Clients clients, FsPath path, Each each) throws IOException {
            entries(clients.direct().listTree(path, true), each);
        }
    };

    /** Entries of a page. */
    static final int PAGE = 5;

    /**
     * Those who list.
     *
     * @param hadoop sorts nothing
     */
    record Clients(FileSystem hadoop, SteadFs direct, SteadFs component) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            hadoop.close();
            direct.close();
            component.close();
        }
    }

    /** Is told of each entry, and decides how quickly the listing goes on. */
    interface Each {
        void met(Met entry);
    }

    /**
     * What all ways tell of an entry.
     *
     * @param length bytes of a file; Hadoop tells no length of a link
     */
    record Met(String name, boolean directory, boolean link, long length) {
        private static Met of(FileStatus status) {
            return new Met(status.getPath().getName(), status.isDirectory(), status.isSymlink(), status.getLen());
        }

        private static Met of(Entry entry) {
            FileInfo info = entry.info();
            boolean link = info.linkTarget().isPresent();
            return new Met(entry.name(), info.directory(), link, link ? 0 : info.length());
        }
    }

    abstract void list(Clients clients, FsPath path, Each each) throws IOException;

    private static org.apache.hadoop.fs.Path hadoop(FsPath path) {
        return new org.apache.hadoop.fs.Path(path.toString());
    }

    private static void statuses(RemoteIterator<? extends FileStatus> statuses, Each each) throws IOException {
        while (statuses.hasNext()) {
            each.met(Met.of(statuses.next()));
        }
    }

    private static void entries(Iterator<Entry> entries, Each each) {
        while (entries.hasNext()) {
            each.met(Met.of(entries.next()));
        }
    }
}

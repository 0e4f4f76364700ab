package io.steadfs.webui;

import com.google.protobuf.ByteString;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import io.steadfs.webui.namespace.Directories;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One directory, with names that nobody should have chosen, and symbolic links to it and elsewhere. */
final class GeneratedDirectories implements Directories {
    static final List<String> HOSTILE = List.of(
            "<script>alert(1)</script>",
            "\"><img src=x onerror=alert(2)>",
            "evil\u202etxt.exe",
            "bell\u0007",
            "a\nb",
            "\u05d0");

    /** Symbolic links by name: to the root, to itself, and to another file system. */
    static final Map<String, String> LINKS = Map.of("home", "/", "round", "round", "away", "hdfs://elsewhere/a");

    private static final Handle ROOT = Handle.of(Handle.FIRST_SHARD_OWNER, 0, 1);

    private static FileInfo info(Handle handle, boolean directory) {
        return new FileInfo(
                handle, directory, 0755, "o", "g", 0, 0, 0, 0, 0, 1, false, 0, 0, Optional.empty(), Optional.empty());
    }

    private static FileInfo link(String target) {
        return new FileInfo(
                new Handle(3),
                false,
                0777,
                "o",
                "g",
                0,
                0,
                0,
                0,
                0,
                1,
                false,
                0,
                1,
                Optional.empty(),
                Optional.of(target));
    }

    @Override
    public FileInfo info(FsPath path) throws FsException {
        if (!path.isRoot() && LINKS.containsKey(path.name())) {
            String target = LINKS.get(path.name());
            throw new LinkException(path + " is a symbolic link to " + target, target, "", false);
        }
        if (!path.isRoot()) {
            throw new FsException(FsError.NOT_FOUND, path + " is not there");
        }
        return info(ROOT, true);
    }

    @Override
    public ListPage list(FsPath path, ByteString cursor, int limit) {
        List<Entry> entries = new ArrayList<>();
        HOSTILE.forEach(name -> entries.add(new Entry(name, info(new Handle(2), false))));
        LINKS.forEach((name, target) -> entries.add(new Entry(name, link(target))));
        return new ListPage(entries, ByteString.EMPTY);
    }

    @Override
    public Partitions partitions(FsPath path) {
        return new Partitions(
                List.of(
                        new Partition(
                                0,
                                1,
                                "0000000000000000",
                                "7fffffffffffffff",
                                0,
                                "mds-1",
                                5,
                                1.5,
                                Partition.STEADY,
                                null,
                                null,
                                null),
                        new Partition(
                                1,
                                1,
                                "8000000000000000",
                                "ffffffffffffffff",
                                0,
                                "mds-1",
                                0,
                                null,
                                Partition.STEADY,
                                null,
                                null,
                                null)),
                List.of());
    }

    @Override
    public Activity activity(int most) {
        return new Activity(List.of(), List.of(), List.of());
    }

    @Override
    public String host(int shard) {
        return "mds-1";
    }
}

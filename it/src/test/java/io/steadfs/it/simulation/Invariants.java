package io.steadfs.it.simulation;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.testing.ShardsCheck;
import io.steadfs.store.ReadView;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What must hold in a quiet cluster: every name leads to a whole object, every object has one name, counters are what a
 * recount says; a datafile belongs to one metafile, and each IO server has exactly the datafiles that metafiles list.
 */
final class Invariants {
    private Invariants() {}

    /** @throws AssertionError naming what does not hold */
    static void check(SimulatedCluster cluster) {
        List<ReadView> views = cluster.views();
        ShardsCheck check = ShardsCheck.of(views);
        Map<Handle, Handle> listed = new HashMap<>();
        check.files().forEach((path, handle) -> {
            MetafileRow row = Metafiles.find(views.get(handle.shard()), handle).orElseThrow();
            if (row.getWriterSession() != 0) {
                throw new AssertionError(path + " has a writer, though no session is left");
            }
            for (long datafile : row.getLayout().getDatafilesList()) {
                if (datafile != 0) {
                    Handle other = listed.put(new Handle(datafile), handle);
                    if (other != null) {
                        throw new AssertionError(
                                "datafile " + new Handle(datafile) + " belongs to " + other + " and to " + handle);
                    }
                }
            }
        });
        Map<Handle, Handle> indexed = new TreeMap<>();
        for (ReadView view : views) {
            ListedDatafiles.range(view, Handle.of(1, 0, 1), Handle.of(Handle.FIRST_SHARD_OWNER - 1, 0, 1))
                    .forEach(each -> indexed.put(each.datafile(), each.metafile()));
        }
        if (!indexed.equals(new TreeMap<>(listed))) {
            throw new AssertionError("the index of datafiles has " + indexed + ", the metafiles list " + listed);
        }
        Set<Handle> stored = new TreeSet<>();
        for (SimulatedIoServer server : cluster.ioServers()) {
            Set<Handle> own = new TreeSet<>();
            byte[] end = new byte[Long.BYTES + 1];
            java.util.Arrays.fill(end, (byte) -1);
            try (ReadView.Cursor cursor = server.store().committed().scan(DatafileTables.DATAFILE, new byte[0], end)) {
                while (cursor.next()) {
                    own.add(new Handle(ByteBuffer.wrap(cursor.key()).getLong()));
                }
            }
            stored.addAll(own);
            Set<Handle> strays = new TreeSet<>(server.files().names());
            strays.removeAll(own);
            if (!strays.isEmpty()) {
                throw new AssertionError(server.name() + " has files that no row speaks of: " + strays);
            }
        }
        Set<Handle> missing = new TreeSet<>(listed.keySet());
        missing.removeAll(stored);
        if (!missing.isEmpty()) {
            throw new AssertionError("datafiles are listed, but nowhere: " + missing);
        }
        Set<Handle> leaked = new TreeSet<>(stored);
        leaked.removeAll(listed.keySet());
        if (!leaked.isEmpty()) {
            throw new AssertionError("datafiles leaked: " + leaked);
        }
    }
}

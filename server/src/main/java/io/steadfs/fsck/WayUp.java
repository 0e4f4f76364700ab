package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Walks from each directory upwards, to find directories that are below themselves. A walk ends at the root, at a
 * directory of an earlier walk, or at a directory without a name. A directory without a name is already a suspect. If a
 * walk passes the same directory twice, the directory is below itself.
 */
final class WayUp implements Stage {
    private static final int BATCH = 10_000;

    /**
     * Largest number of directories in a ring of directories that are below each other. Longer rings are not reported.
     */
    private static final int MOST_ABOVE = 99_000;

    @Override
    public String name() {
        return "ways to the root";
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        PagedScan.run(name(), work, pace, (key, batch) -> {
            int looked = 0;
            byte[] last = key.toByteArray();
            try (ReadView.Cursor cursor = work.scan(WorkTables.PARENT, behind(last))) {
                while (cursor.next()) {
                    if (looked == BATCH) {
                        return new PagedScan.Looked(true, ByteString.copyFrom(last), looked, 0);
                    }
                    looked++;
                    last = cursor.key();
                    walk(Work.handleIn(last), batch);
                }
            }
            return new PagedScan.Looked(false, ByteString.copyFrom(last), looked, 0);
        });
    }

    private static byte[] behind(byte[] key) {
        return key.length == 0 ? key : Arrays.copyOf(key, key.length + 1);
    }

    private static void walk(Handle from, WorkBatch batch) {
        Set<Handle> way = new LinkedHashSet<>();
        Optional<Handle> at = Optional.of(from);
        while (at.isPresent() && !at.get().equals(Handle.ROOT) && !batch.isReached(at.get())) {
            if (!way.add(at.get())) {
                List<Handle> all = new ArrayList<>(way);
                ring(all.subList(all.indexOf(at.get()), all.size()), batch);
                break;
            }
            at = batch.get(WorkTables.PARENT, at.get()).map(Work::handleIn);
        }
        way.forEach(batch::reached);
    }

    private static void ring(List<Handle> members, WorkBatch batch) {
        if (members.size() <= MOST_ABOVE) {
            Handle least = members.stream().min(Handle::compareTo).orElseThrow();
            List<Handle> above = new ArrayList<>(members);
            Collections.rotate(above, -1 - members.indexOf(least));
            batch.suspect(new Suspect(least, Suspect.Why.BELOW_ITSELF, above));
        }
    }
}

package io.steadfs.mds.op.server;

import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.FileWriter;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.ClaimEnded;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.ClaimsForfeited;
import io.steadfs.mds.session.FileOpened;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One of the last commands of a shard that stops in order. The command makes the sessions that claim untouched files the
 * durable writers of these files. After the last claim, the command records that all other untouched files are closed. So
 * the next life of the shard knows of each file whether it is open. Answers whether claims are left for another step.
 *
 * <p>While the shard may still learn of claims of an earlier life, the command does nothing, because it does not know all
 * claims.
 */
public final class StopShard extends InternalCommand<Boolean> {
    private static final int FILES = 1_000;

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        if (!Claims.isGraceOver(view) && Claims.isAnyInDoubt(view)) {
            return Decision.of(false);
        }
        List<LogRecord> records = new ArrayList<>();
        List<OpenFiles.Opened> claims = Claims.after(view, Optional.empty(), FILES);
        for (OpenFiles.Opened claim : claims) {
            records.add(new ClaimEnded(claim.session(), claim.metafile()));
            Metafiles.find(view, claim.metafile())
                    .filter(row -> FileWriter.of(view, claim.metafile(), row).session() == claim.session())
                    .ifPresent(row -> records.addAll(written(claim, row)));
        }
        if (claims.size() < FILES) {
            records.add(new ClaimsForfeited(NewHandles.next(view, inputs)));
        }
        return new Decision<>(records, claims.size() == FILES);
    }

    private static List<LogRecord> written(OpenFiles.Opened claim, MetafileRow row) {
        return List.of(
                new FileOpened(claim.session(), claim.metafile(), claim.path(), claim.openedMillis()),
                new MetafileSet(
                        claim.metafile(),
                        row.toBuilder()
                                .setUntouchedSession(0)
                                .setWriterSession(claim.session())
                                .setVersion(row.getVersion() + 1)
                                .build()));
    }
}

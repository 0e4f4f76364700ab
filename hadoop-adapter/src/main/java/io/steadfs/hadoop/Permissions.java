package io.steadfs.hadoop;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.fs.permission.FsPermission;

/** Hadoop's objects for modes: one for each that was met, which nobody can change. */
final class Permissions {
    /** Above 01777, the most that a mode can be. */
    private static final int MODES = 1 << 10;

    private static final AtomicReferenceArray<FsPermission> MET = new AtomicReferenceArray<>(MODES);

    private Permissions() {}

    static FsPermission of(int mode) {
        if (mode < 0 || mode >= MODES) {
            return new FsPermission((short) mode);
        }
        FsPermission met = MET.get(mode);
        if (met == null) {
            met = FsPermission.createImmutable((short) mode);
            MET.set(mode, met);
        }
        return met;
    }
}

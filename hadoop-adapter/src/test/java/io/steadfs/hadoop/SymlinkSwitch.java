package io.steadfs.hadoop;

import java.lang.reflect.Field;
import org.apache.hadoop.fs.FileSystem;

/** Hadoop's switch that lets a process make symbolic links. Hadoop can turn it on, and never off. */
public final class SymlinkSwitch implements AutoCloseable {
    private final boolean before = FileSystem.areSymlinksEnabled();

    public SymlinkSwitch(boolean on) {
        set(on);
    }

    @Override
    public void close() {
        set(before);
    }

    private static void set(boolean on) {
        try {
            Field field = FileSystem.class.getDeclaredField("symlinksEnabled");
            field.setAccessible(true);
            field.setBoolean(null, on);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}

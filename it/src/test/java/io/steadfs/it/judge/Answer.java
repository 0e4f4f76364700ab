package io.steadfs.it.judge;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * What one side said.
 *
 * @param text what is compared
 * @param detail for people
 * @param named arguments of the call that an exception names
 */
record Answer(String text, String detail, boolean failed, Set<OddPath> named) {
    /**
     * Classes that programs look for; an exception counts as the first one that it is. So a class of HDFS's own counts as
     * what a program without HDFS's classes can catch.
     */
    private static final List<Class<? extends Throwable>> CLASSES = List.of(
            FileNotFoundException.class,
            FileAlreadyExistsException.class,
            ParentNotDirectoryException.class,
            PathIsNotEmptyDirectoryException.class,
            AccessControlException.class,
            ChecksumException.class,
            EOFException.class,
            ClosedChannelException.class,
            UnsupportedFileSystemException.class,
            IOException.class,
            IllegalArgumentException.class,
            IllegalStateException.class,
            IndexOutOfBoundsException.class,
            NullPointerException.class,
            UnsupportedOperationException.class,
            RuntimeException.class,
            Error.class);

    static Answer of(Actor actor, Call call) {
        try {
            String text = new Describe(actor).value(call.action().on(actor));
            return new Answer(text, text, false, Set.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (Exception | LinkageError e) {
            return new Answer("! " + known(e), said(e), true, named(actor, call, e));
        }
    }

    private static String known(Throwable thrown) {
        return CLASSES.stream()
                .filter(each -> each.isInstance(thrown))
                .findFirst()
                .map(Class::getSimpleName)
                .orElse(thrown.getClass().getName());
    }

    private static String said(Throwable thrown) {
        String name = thrown instanceof RemoteException remote
                ? "RemoteException(" + remote.getClassName() + ")"
                : thrown.getClass().getName();
        String message = String.valueOf(thrown.getMessage()).lines().findFirst().orElse("");
        return name + ": " + (message.length() <= 1500 ? message : message.substring(0, 1500) + "...");
    }

    private static Set<OddPath> named(Actor actor, Call call, Throwable thrown) {
        Set<OddPath> named = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        String message = String.valueOf(thrown.getMessage());
        for (OddPath path : call.paths()) {
            try {
                Path made = path.on(actor);
                String text = made.toUri().getPath();
                if (message.contains(text.endsWith("/") ? text.substring(0, text.length() - 1) : text)) {
                    named.add(path);
                }
            } catch (Exception e) {
                // No path at all: nothing to look for.
            }
        }
        return named;
    }

    /** Whether a program that knows the other answer is content with this one. */
    boolean isAsGoodAs(Answer judge) {
        return text.equals(judge.text) && named.containsAll(judge.named);
    }

    @Override
    public String toString() {
        return failed ? text + " [" + detail + "]" : text;
    }
}

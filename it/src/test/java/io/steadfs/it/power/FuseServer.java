package io.steadfs.it.power;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers the kernel. Below the mount point is a directory for each {@link Disk}; it comes and goes with the disk only.
 *
 * <p>Every request belongs to the life of the disk that its node is of. While that is cut, requests wait: nothing they ask
 * for happens, and nobody hears. Once it is over they are refused. What makes nothing durable and changes nothing (a
 * close, a node that the kernel forgets) is answered always, so that processes can die.
 *
 * <p>One thread reads requests and answers them one by one; another one gives orders to the disks. Both hold the lock of
 * this object meanwhile.
 */
final class FuseServer {
    private static final long ROOT = 1;
    private static final int OPEN_EXCLUSIVE = 0200;
    private static final int OPEN_TRUNCATE = 01000;
    /** O_DSYNC, which O_SYNC contains. */
    private static final int OPEN_SYNCED = 010000;

    private static final int ALLOCATE_KEEP_SIZE = 1;
    private static final int ALLOCATE_PUNCH_HOLE = 2;
    private static final int RENAME_NO_REPLACE = 1;

    private static final int PERMISSIONS = 07777;
    private static final int SET_MODE = 1;
    private static final int SET_UID = 2;
    private static final int SET_GID = 4;
    private static final int SET_SIZE = 8;
    private static final int SET_MTIME = 32;
    private static final int SET_MTIME_NOW = 256;

    private final FuseDevice device;
    private final AtomicLong numbers = new AtomicLong(ROOT);
    private final TreeMap<String, Disk> disks = new TreeMap<>();
    /** Nodes that the kernel knows. */
    private final Map<Long, Node> known = new HashMap<>();
    /** What open directories held when they were read from their beginning. */
    private final Map<Long, List<Map.Entry<String, Node>>> listings = new HashMap<>();

    /** The directory of disks: of no disk, so it is always there. */
    private final StoredDirectory root = new Life(new AtomicLong()).root();

    private long handles;

    FuseServer(FuseDevice device) {
        this.device = device;
    }

    // Orders.

    synchronized void makeDisk(String name) {
        if (disks.putIfAbsent(name, new Disk(numbers)) != null) {
            throw new IllegalArgumentException("there is a disk " + name);
        }
    }

    private Disk disk(String name) {
        return Optional.ofNullable(disks.get(name))
                .orElseThrow(() -> new IllegalArgumentException("there is no disk " + name));
    }

    /** All of them at one moment. */
    synchronized void cut(List<String> names) {
        names.forEach(name -> disk(name).life().power = Life.Power.CUT);
    }

    /** After everybody who waits was sent SIGKILL: they die instead of hearing this answer. */
    synchronized void refuseWaiting(String name) throws IOException {
        Life life = disk(name).life();
        life.power = Life.Power.OVER;
        for (long unique : life.waiting) {
            device.refuse(unique, Refusal.IO_ERROR);
        }
        life.waiting.clear();
    }

    /** Gives the disk power again; what it holds is what is left. */
    synchronized Loss.Count lose(String name, Luck luck) {
        Disk disk = disk(name);
        if (disk.life().power != Life.Power.OVER) {
            throw new IllegalArgumentException(name + " has power, or somebody waits for it");
        }
        // The kernel still has numbers of the old life; they mean nothing now.
        known.values().removeIf(node -> node.life == disk.life());
        return disk.lose(luck);
    }

    synchronized void lie(String name, Disk.Lie lie) {
        disk(name).lie = lie;
    }

    // Requests.

    /** Until the mount is gone. */
    void run() throws IOException {
        while (true) {
            FuseRequest request = FuseRequest.decode(device.next());
            synchronized (this) {
                handle(request);
            }
            if (request.opcode() == FuseRequest.DESTROY) {
                return;
            }
        }
    }

    private void handle(FuseRequest request) throws IOException {
        try {
            switch (request.opcode()) {
                case FuseRequest.INTERRUPT -> {
                    // The request itself is answered, and that is enough.
                }
                case FuseRequest.FORGET -> forget(request.node(), request.body().getLong());
                case FuseRequest.BATCH_FORGET -> forgetAll(request.body());
                default -> {
                    if (answer(request, device.body())) {
                        device.answer(request.unique());
                    }
                }
            }
        } catch (Refusal e) {
            device.refuse(request.unique(), e.errorNumber);
        }
    }

    private void forgetAll(ByteBuffer body) {
        int count = body.getInt();
        body.getInt();
        for (int i = 0; i < count; i++) {
            forget(body.getLong(), body.getLong());
        }
    }

    private void forget(long number, long lookups) {
        Node node = known.get(number);
        if (node != null) {
            node.lookups -= lookups;
            if (node.lookups <= 0) {
                known.remove(number);
            }
        }
    }

    /** Answers false where the request waits. */
    private boolean answer(FuseRequest request, ByteBuffer out) throws Refusal {
        switch (request.opcode()) {
            case FuseRequest.INIT -> FuseAnswer.init(out);
            case FuseRequest.FLUSH, FuseRequest.RELEASE, FuseRequest.DESTROY -> {
                // Nothing is held back until then.
            }
            case FuseRequest.RELEASEDIR -> listings.remove(request.body().getLong());
            case FuseRequest.STATFS -> FuseAnswer.space(out);
            default -> {
                Node node = node(request.node());
                Optional<Node> asked = node == root ? diskAsked(request) : Optional.of(node);
                if (asked.isPresent()) {
                    Life life = asked.get().life;
                    if (life.power == Life.Power.CUT) {
                        life.waiting.add(request.unique());
                        return false;
                    }
                    if (life.power == Life.Power.OVER) {
                        throw new Refusal(Refusal.IO_ERROR);
                    }
                }
                if (node == root) {
                    answerRoot(request, asked, out);
                } else if (node instanceof StoredDirectory directory) {
                    answerDirectory(request, directory, out);
                } else if (node instanceof StoredFile file) {
                    answerFile(request, file, out);
                }
            }
        }
        return true;
    }

    private Node node(long number) throws Refusal {
        Node node = number == ROOT ? root : known.get(number);
        if (node == null) {
            throw new Refusal(Refusal.STALE);
        }
        return node;
    }

    /** The disk whose directory is looked up. */
    private Optional<Node> diskAsked(FuseRequest request) {
        if (request.opcode() != FuseRequest.LOOKUP) {
            return Optional.empty();
        }
        int begin = request.body().position();
        Disk disk = disks.get(request.name());
        request.body().position(begin);
        return Optional.ofNullable(disk).map(found -> found.life().root());
    }

    private void entry(ByteBuffer out, Node node) {
        known.put(node.number, node);
        FuseAnswer.entry(out, node);
    }

    private void answerRoot(FuseRequest request, Optional<Node> disk, ByteBuffer out) throws Refusal {
        switch (request.opcode()) {
            case FuseRequest.LOOKUP -> entry(out, disk.orElseThrow(() -> new Refusal(Refusal.NO_ENTRY)));
            case FuseRequest.GETATTR -> FuseAnswer.attribute(out, root);
            case FuseRequest.OPENDIR -> FuseAnswer.opened(out, ++handles);
            case FuseRequest.READDIR -> {
                Map<String, Node> roots = new TreeMap<>();
                disks.forEach((name, each) -> roots.put(name, each.life().root()));
                list(request.body(), roots, out);
            }
            case FuseRequest.FSYNCDIR -> {
                // Disks are always there. Were this not implemented, the kernel would ask no directory to sync any
                // more.
            }
            case FuseRequest.MKDIR, FuseRequest.CREATE, FuseRequest.RMDIR, FuseRequest.UNLINK ->
                throw new Refusal(Refusal.NOT_PERMITTED);
            default -> throw new Refusal(Refusal.NOT_IMPLEMENTED);
        }
    }

    private void answerDirectory(FuseRequest request, StoredDirectory directory, ByteBuffer out) throws Refusal {
        switch (request.opcode()) {
            case FuseRequest.LOOKUP -> entry(out, directory.find(request.name()));
            case FuseRequest.GETATTR -> FuseAnswer.attribute(out, directory);
            case FuseRequest.SETATTR -> setAttributes(request.body(), directory, out);
            case FuseRequest.MKDIR -> makeDirectory(request, directory, out);
            case FuseRequest.CREATE -> create(request, directory, out);
            case FuseRequest.UNLINK -> remove(directory, request.name(), false);
            case FuseRequest.RMDIR -> remove(directory, request.name(), true);
            case FuseRequest.RENAME, FuseRequest.RENAME2 -> rename(request, directory);
            case FuseRequest.OPENDIR -> FuseAnswer.opened(out, ++handles);
            case FuseRequest.READDIR -> list(request.body(), directory.entries(), out);
            case FuseRequest.FSYNCDIR -> {
                if (lie(directory) != Disk.Lie.DIRECTORIES) {
                    directory.sync();
                }
            }
            default -> throw new Refusal(Refusal.NOT_IMPLEMENTED);
        }
    }

    private void answerFile(FuseRequest request, StoredFile file, ByteBuffer out) throws Refusal {
        ByteBuffer body = request.body();
        switch (request.opcode()) {
            case FuseRequest.GETATTR -> FuseAnswer.attribute(out, file);
            case FuseRequest.SETATTR -> setAttributes(body, file, out);
            case FuseRequest.OPEN -> FuseAnswer.opened(out, 0);
            case FuseRequest.READ -> {
                request.skip(8);
                file.bytes.read(body.getLong(), out, body.getInt());
            }
            case FuseRequest.WRITE -> write(request, file, out);
            case FuseRequest.FSYNC -> sync(file);
            case FuseRequest.FALLOCATE -> allocate(request, file);
            default -> throw new Refusal(Refusal.NOT_IMPLEMENTED);
        }
    }

    private Disk.Lie lie(Node node) {
        return disks.values().stream()
                .filter(disk -> disk.life() == node.life)
                .findFirst()
                .map(disk -> disk.lie)
                .orElse(Disk.Lie.NONE);
    }

    // Names.

    private void makeDirectory(FuseRequest request, StoredDirectory parent, ByteBuffer out) throws Refusal {
        int mode = request.body().getInt();
        request.skip(4);
        String name = request.name();
        if (parent.entries().containsKey(name)) {
            throw new Refusal(Refusal.EXISTS);
        }
        StoredDirectory made = new StoredDirectory(parent.life, mode, request.uid(), request.gid());
        parent.put(parent.life.nextMoment(), name, made);
        entry(out, made);
    }

    private void create(FuseRequest request, StoredDirectory parent, ByteBuffer out) throws Refusal {
        int flags = request.body().getInt();
        int mode = request.body().getInt();
        request.skip(8);
        String name = request.name();
        Node there = parent.entries().get(name);
        if (there instanceof StoredDirectory) {
            throw new Refusal(Refusal.IS_A_DIRECTORY);
        }
        if (there != null && (flags & OPEN_EXCLUSIVE) != 0) {
            throw new Refusal(Refusal.EXISTS);
        }
        StoredFile file;
        if (there instanceof StoredFile old) {
            file = old;
            if ((flags & OPEN_TRUNCATE) != 0) {
                file.bytes.resize(0);
            }
        } else {
            file = new StoredFile(parent.life, mode, request.uid(), request.gid());
            parent.put(parent.life.nextMoment(), name, file);
        }
        entry(out, file);
        FuseAnswer.opened(out, 0);
    }

    private static void remove(StoredDirectory parent, String name, boolean directory) throws Refusal {
        Node node = parent.find(name);
        checkReplaceable(node, directory);
        parent.remove(parent.life.nextMoment(), name, node);
    }

    /** Whether that may lose its name to a directory, or to a file. */
    private static void checkReplaceable(Node node, boolean directory) throws Refusal {
        if (node instanceof StoredDirectory target) {
            if (!directory) {
                throw new Refusal(Refusal.IS_A_DIRECTORY);
            }
            if (!target.entries().isEmpty()) {
                throw new Refusal(Refusal.NOT_EMPTY);
            }
        } else if (directory) {
            throw new Refusal(Refusal.NOT_A_DIRECTORY);
        }
    }

    private void rename(FuseRequest request, StoredDirectory source) throws Refusal {
        Node parent = node(request.body().getLong());
        int flags = 0;
        if (request.opcode() == FuseRequest.RENAME2) {
            flags = request.body().getInt();
            request.skip(4);
        }
        String oldName = request.name();
        String newName = request.name();
        if (!(parent instanceof StoredDirectory target) || target.life != source.life) {
            throw new Refusal(Refusal.OTHER_DEVICE);
        }
        if ((flags & ~RENAME_NO_REPLACE) != 0) {
            throw new Refusal(Refusal.INVALID);
        }
        Node moved = source.find(oldName);
        Node replaced = target.entries().get(newName);
        if (replaced == moved) {
            return;
        }
        if (replaced != null) {
            if (flags != 0) {
                throw new Refusal(Refusal.EXISTS);
            }
            checkReplaceable(replaced, moved instanceof StoredDirectory);
        }
        long moment = source.life.nextMoment();
        source.remove(moment, oldName, moved);
        target.put(moment, newName, moved);
    }

    /** Reading on goes through what was there at the beginning: what comes and goes meanwhile moves nothing. */
    private void list(ByteBuffer body, Map<String, Node> entries, ByteBuffer out) {
        long handle = body.getLong();
        long offset = body.getLong();
        int most = body.getInt();
        if (offset == 0) {
            List<Map.Entry<String, Node>> now = new ArrayList<>();
            entries.forEach((name, node) -> now.add(Map.entry(name, node)));
            listings.put(handle, now);
        }
        List<Map.Entry<String, Node>> listing = listings.getOrDefault(handle, List.of());
        int begin = out.position();
        for (int i = (int) offset; i < listing.size(); i++) {
            Map.Entry<String, Node> each = listing.get(i);
            if (!FuseAnswer.dirent(out, begin, most, each.getKey(), each.getValue(), i + 1L)) {
                return;
            }
        }
    }

    // Bytes and attributes.

    private void write(FuseRequest request, StoredFile file, ByteBuffer out) {
        ByteBuffer body = request.body();
        request.skip(8);
        long offset = body.getLong();
        int size = body.getInt();
        request.skip(12);
        int flags = body.getInt();
        request.skip(4);
        file.bytes.write(offset, body.limit(body.position() + size));
        file.touch();
        if ((flags & OPEN_SYNCED) != 0) {
            sync(file);
        }
        FuseAnswer.written(out, size);
    }

    private void sync(StoredFile file) {
        if (lie(file) != Disk.Lie.FILES) {
            file.bytes.sync();
        }
    }

    /** To have room needs nothing to be done: there always is. */
    private static void allocate(FuseRequest request, StoredFile file) throws Refusal {
        request.skip(8);
        long offset = request.body().getLong();
        long length = request.body().getLong();
        switch (request.body().getInt()) {
            case 0 -> file.bytes.resize(Math.max(file.size(), offset + length));
            case ALLOCATE_KEEP_SIZE -> {
                // As it is.
            }
            case ALLOCATE_KEEP_SIZE | ALLOCATE_PUNCH_HOLE -> file.bytes.zero(offset, length);
            default -> throw new Refusal(Refusal.NOT_SUPPORTED);
        }
    }

    private static void setAttributes(ByteBuffer body, Node node, ByteBuffer out) {
        int begin = body.position();
        int what = body.getInt(begin);
        if ((what & SET_MODE) != 0) {
            node.mode = (node.mode & ~PERMISSIONS) | (body.getInt(begin + 68) & PERMISSIONS);
        }
        if ((what & SET_UID) != 0) {
            node.uid = body.getInt(begin + 76);
        }
        if ((what & SET_GID) != 0) {
            node.gid = body.getInt(begin + 80);
        }
        if ((what & SET_SIZE) != 0 && node instanceof StoredFile file) {
            file.bytes.resize(body.getLong(begin + 16));
            file.touch();
        }
        if ((what & SET_MTIME_NOW) != 0) {
            node.modifiedMillis = System.currentTimeMillis();
        } else if ((what & SET_MTIME) != 0) {
            node.modifiedMillis = body.getLong(begin + 40) * 1000 + body.getInt(begin + 60) / 1_000_000;
        }
        FuseAnswer.attribute(out, node);
    }
}

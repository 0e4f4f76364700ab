package io.steadfs.it.power;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The bytes of one file, as readers see them and as a power loss leaves them.
 *
 * <p>A file is pages of 4 KiB; pages that were never written take no room. Each has its durable image and the images
 * that it had after each write since the last sync, oldest first; no image is ever changed. What reaches a disk is a page
 * as it was at some moment, so a loss leaves of each page by itself one of these images, or, if the page was being
 * written just then, sectors of two of them. The size is a thing of its own: one that it had since the last sync, or a
 * page's end on the way there. So a kept size may show zeros where pages were not kept, as file systems do that write
 * sizes ahead of bytes.
 */
final class FileBytes {
    static final int PAGE = 4096;
    private static final int SECTOR = 512;
    /** Images of one page, and sizes, that are told apart; beyond it the oldest ones are forgotten. */
    private static final int MOST_IMAGES = 8;

    private static final int MOST_SIZES = 64;
    private static final byte[] ZEROS = new byte[PAGE];

    private final TreeMap<Long, Page> pages = new TreeMap<>();
    /** Indexes of pages with images since the last sync. */
    private final Set<Long> unsynced = new HashSet<>();
    /** That the file had since the last sync, the present one last; empty if there was no change. */
    private final Deque<Long> sizes = new ArrayDeque<>();

    private long durableSize;

    private static final class Page {
        byte[] durable = ZEROS;
        final Deque<byte[]> later = new ArrayDeque<>();

        byte[] now() {
            return later.isEmpty() ? durable : later.getLast();
        }

        void put(byte[] image) {
            if (later.size() == MOST_IMAGES) {
                later.removeFirst();
            }
            later.addLast(image);
        }
    }

    long size() {
        return sizes.isEmpty() ? durableSize : sizes.getLast();
    }

    private void setSize(long size) {
        if (size != size()) {
            if (sizes.size() == MOST_SIZES) {
                sizes.removeFirst();
            }
            sizes.addLast(size);
        }
    }

    private Page page(long index) {
        return pages.computeIfAbsent(index, unused -> new Page());
    }

    /** Puts the bytes up to the limit of the buffer there. */
    void write(long offset, ByteBuffer source) {
        long position = offset;
        while (source.hasRemaining()) {
            int at = (int) (position % PAGE);
            int count = Math.min(PAGE - at, source.remaining());
            Page page = page(position / PAGE);
            byte[] image = page.now().clone();
            source.get(image, at, count);
            change(position / PAGE, page, image);
            position += count;
        }
        setSize(Math.max(size(), position));
    }

    private void change(long index, Page page, byte[] image) {
        page.put(image);
        unsynced.add(index);
    }

    /** Puts as many bytes from there on as the file has and the buffer takes. */
    void read(long offset, ByteBuffer target, int most) {
        long end = Math.min(size(), offset + most);
        for (long position = offset; position < end; ) {
            int at = (int) (position % PAGE);
            int count = (int) Math.min(PAGE - at, end - position);
            Page page = pages.get(position / PAGE);
            target.put(page == null ? ZEROS : page.now(), at, count);
            position += count;
        }
    }

    /** Cuts the file, or makes it longer with zeros. */
    void resize(long size) {
        if (size < size()) {
            zero(size, size() - size);
        }
        setSize(size);
    }

    /** Makes a range zeros; the size stays. */
    void zero(long offset, long length) {
        long end = offset + length;
        for (Map.Entry<Long, Page> each :
                pages.subMap(offset / PAGE, (end + PAGE - 1) / PAGE).entrySet()) {
            long begin = each.getKey() * PAGE;
            byte[] image = each.getValue().now().clone();
            for (long at = Math.max(offset, begin); at < Math.min(end, begin + PAGE); at++) {
                image[(int) (at - begin)] = 0;
            }
            change(each.getKey(), each.getValue(), image);
        }
    }

    /** What is there now outlives a loss. */
    void sync() {
        for (long index : unsynced) {
            Page page = page(index);
            page.durable = page.now();
            page.later.clear();
        }
        unsynced.clear();
        durableSize = size();
        sizes.clear();
        pages.tailMap((durableSize + PAGE - 1) / PAGE).clear();
    }

    boolean isSynced() {
        return unsynced.isEmpty() && sizes.isEmpty();
    }

    /** What a power loss leaves; adds to the loss what it took. */
    FileBytes survivor(Luck luck, Loss.Count loss) {
        FileBytes left = new FileBytes();
        left.durableSize = survivingSize(luck);
        long most = Math.max(size(), left.durableSize);
        for (Map.Entry<Long, Page> each : pages.entrySet()) {
            long begin = each.getKey() * PAGE;
            Page page = each.getValue();
            byte[] image = upTo(left.durableSize - begin, page.later.isEmpty() ? page.durable : surviving(page, luck));
            if (image != ZEROS) {
                left.page(each.getKey()).durable = image;
            }
            if (begin < most && (!page.later.isEmpty() || left.durableSize < size())) {
                int different = different(image, page.now());
                loss.droppedBytes += different;
                if (different == 0) {
                    loss.keptPages++;
                }
            }
        }
        return left;
    }

    private long survivingSize(Luck luck) {
        if (sizes.isEmpty() || !luck.keeps()) {
            return durableSize;
        }
        long size = List.copyOf(sizes).get(luck.among(sizes.size()));
        long border = size / PAGE * PAGE;
        return border > durableSize && luck.tears() ? border : size;
    }

    private static byte[] surviving(Page page, Luck luck) {
        if (!luck.keeps()) {
            return page.durable;
        }
        List<byte[]> images = new ArrayList<>(page.later);
        byte[] image = images.get(luck.among(images.size()));
        if (!luck.tears()) {
            return image;
        }
        byte[] torn = image.clone();
        for (int at = 0; at < PAGE; at += SECTOR) {
            if (luck.coin()) {
                System.arraycopy(page.durable, at, torn, at, SECTOR);
            }
        }
        return torn;
    }

    /** Nothing of a page shows beyond the file's end, also if the file grows later. */
    private static byte[] upTo(long end, byte[] image) {
        if (end >= PAGE) {
            return image;
        }
        if (end <= 0) {
            return ZEROS;
        }
        byte[] cut = new byte[PAGE];
        System.arraycopy(image, 0, cut, 0, (int) end);
        return cut;
    }

    private static int different(byte[] one, byte[] other) {
        int count = 0;
        if (one != other) {
            for (int i = 0; i < PAGE; i++) {
                if (one[i] != other[i]) {
                    count++;
                }
            }
        }
        return count;
    }
}

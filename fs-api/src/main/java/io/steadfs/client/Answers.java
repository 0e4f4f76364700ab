package io.steadfs.client;

import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.layout.Striping;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.ListTreeReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Values of the wire as values of the client. */
final class Answers {
    private Answers() {}

    static FileInfo info(Attributes attributes) {
        return new FileInfo(
                new Handle(attributes.getHandle()),
                attributes.getType() == FileType.DIRECTORY,
                attributes.getMode(),
                attributes.getOwner(),
                attributes.getGroup(),
                attributes.getLength(),
                attributes.getModificationTime(),
                attributes.getAccessTime(),
                attributes.getBlockSize(),
                attributes.getOpen(),
                attributes.getWriteGeneration(),
                attributes.getVersion(),
                attributes.hasLayout() ? Optional.of(layout(attributes.getLayout())) : Optional.empty());
    }

    static Layout layout(io.steadfs.wire.proto.Layout layout) {
        List<Handle> datafiles = new ArrayList<>(layout.getDatafilesCount());
        for (long datafile : layout.getDatafilesList()) {
            datafiles.add(new Handle(datafile));
        }
        return new Layout(
                new Striping(layout.getStripSize(), layout.getWidth()),
                layout.getReplicas(),
                layout.getServersList(),
                datafiles,
                layout.getVersion());
    }

    static Entry entry(io.steadfs.wire.proto.Entry entry) {
        return new Entry(entry.getName(), info(entry.getAttributes()));
    }

    /** Directories that are marked elsewhere are named as such, and are entries only where directories are wanted. */
    static Page treePage(ListTreeReply reply, boolean wantDirectories) {
        List<Entry> entries = new ArrayList<>(reply.getEntriesCount());
        List<Page.Elsewhere> elsewhere = new ArrayList<>();
        for (io.steadfs.wire.proto.Entry entry : reply.getEntriesList()) {
            if (entry.getElsewhere()) {
                Handle directory = new Handle(entry.getAttributes().getHandle());
                elsewhere.add(new Page.Elsewhere(directory, entry.getName()));
            }
            if (!entry.getElsewhere() || wantDirectories) {
                entries.add(entry(entry));
            }
        }
        return new Page(entries, elsewhere, reply.getCursor());
    }

    static List<Entry> entries(List<io.steadfs.wire.proto.Entry> entries) {
        List<Entry> converted = new ArrayList<>(entries.size());
        for (io.steadfs.wire.proto.Entry entry : entries) {
            converted.add(entry(entry));
        }
        return converted;
    }
}

package io.steadfs.mds.op;

import io.steadfs.handle.Handle;
import io.steadfs.layout.Striping;
import io.steadfs.mds.datafile.ListedDatafile;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.ListedColumn;
import java.util.Optional;

/** A listed datafile with what its metafile says of it. */
final class ColumnOnRecord {
    private ColumnOnRecord() {}

    static ListedColumn of(ReadView view, ListedDatafile listed) {
        ListedColumn.Builder column = ListedColumn.newBuilder()
                .setDatafile(listed.datafile().value())
                .setMetafile(listed.metafile().value())
                .setIndex(listed.index());
        Optional<MetafileRow> metafile = Metafiles.find(view, listed.metafile())
                .filter(row -> listsAt(row.getLayout(), listed.index(), listed.datafile()));
        metafile.ifPresentOrElse(
                row -> column.setLeastLength(leastLength(row, listed.index())), () -> column.setAstray(true));
        return column.build();
    }

    private static boolean listsAt(LayoutRow layout, int index, Handle datafile) {
        return index >= 0 && index < layout.getDatafilesCount() && layout.getDatafiles(index) == datafile.value();
    }

    private static long leastLength(MetafileRow row, int index) {
        LayoutRow layout = row.getLayout();
        return Metafiles.isOpen(row) || row.getCut()
                ? 0
                : new Striping(layout.getStripSize(), layout.getWidth())
                        .datafileLength(index % layout.getWidth(), row.getLength());
    }
}

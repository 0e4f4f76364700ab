package io.steadfs.store.format;

import io.steadfs.store.ReadView;

/**
 * A step that changes no row. It raises the number, so that no release opens the store that would misread new rows, or
 * because the other kind of store changes.
 */
public record SameRows(long from) implements FormatStep {
    @Override
    public void change(ReadView rows, FormatChanges changes) {}
}

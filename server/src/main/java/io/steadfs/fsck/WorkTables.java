package io.steadfs.fsck;

import io.steadfs.store.Table;
import java.util.List;

/**
 * The tables of a check's own store. Numbers are big-endian. In the drawing, the number after a field is its length in
 * bytes.
 *
 * <pre>
 *  table     key                                          value
 *  --------  -------------------------------------------  ----------------------------------------------
 *  link      object 8, key of the name                    shard 4, type 1, depth 1, share 8, parent 8: the name leads
 *                                                         to the object; depth of a partition, or -1, and its
 *                                                         part of all hashes in units of 2^-30
 *  parent    directory 8                                  directory 8 that has its name
 *  reached   directory 8                                  empty: a walk upwards passed it
 *  suspect   object 8                                     why 1, and the handle 8 of each directory above
 *  finding   label of the kind, 0x00, server, 0x00,       FindingRow
 *              object 8, other 8, table, 0x00, key
 *  repair    key of the finding                           RepairRow
 *  progress  text                                         the progress of a stage
 * </pre>
 */
final class WorkTables {
    static final Table LINK = new Table("link");
    static final Table PARENT = new Table("parent");
    static final Table REACHED = new Table("reached");
    static final Table SUSPECT = new Table("suspect");
    static final Table FINDING = new Table("finding");
    static final Table REPAIR = new Table("repair");
    static final Table PROGRESS = new Table("progress");

    static final List<Table> ALL = List.of(LINK, PARENT, REACHED, SUSPECT, FINDING, REPAIR, PROGRESS);

    private WorkTables() {}
}

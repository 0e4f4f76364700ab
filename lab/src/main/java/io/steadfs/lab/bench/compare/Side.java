package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.system.Contender;

/**
 * The names of one compared system in reports.
 *
 * @param name short name for table columns, such as "beside"
 * @param title long name for headings, such as "SteadFS (commit a70b1a31912e)"; equal to the short name if that is
 *     clear
 */
record Side(String name, String title) {
    static Side of(Contender contender) {
        return new Side(contender.name(), contender.title());
    }
}

package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.system.Contender;

/**
 * One of the two that are compared, as reports call it.
 *
 * @param name for columns, "beside"
 * @param title for headings, "SteadFS (commit a70b1a31912e)"; the name where that is enough
 */
record Side(String name, String title) {
    static Side of(Contender contender) {
        return new Side(contender.name(), contender.title());
    }
}

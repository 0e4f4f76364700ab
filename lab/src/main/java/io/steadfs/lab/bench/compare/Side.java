package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.system.Contender;

/**
 * One of the two compared systems, as reports name the system.
 *
 * @param name short name for table columns, such as "beside"
 * @param title long name for headings, such as "SteadFS (commit a70b1a31912e)"; the same as the name if the name is
 *     clear
 */
record Side(String name, String title) {
    static Side of(Contender contender) {
        return new Side(contender.name(), contender.title());
    }
}

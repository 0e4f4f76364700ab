package io.steadfs.hadoop;

import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;

/** Checks that names of extended attributes have the form that Hadoop demands. No request is sent for a bad name, as in HDFS. */
final class XattrNames {
    private static final Set<String> NAMESPACES = Set.of("user", "trusted", "security", "system", "raw");

    private XattrNames() {}

    /**
     * The name as servers know it. A namespace may be written in capitals.
     *
     * @throws HadoopIllegalArgumentException if it is not NAMESPACE.NAME
     */
    static String of(String name) {
        int dot = name.indexOf('.');
        String namespace = name.substring(0, Math.max(0, dot)).toLowerCase(Locale.ROOT);
        if (dot == name.length() - 1 || !NAMESPACES.contains(namespace)) {
            throw new HadoopIllegalArgumentException(
                    "the name of an extended attribute is user, trusted, security, system or raw, a dot,"
                            + " and a name; not '" + name + "'");
        }
        return namespace + name.substring(dot);
    }
}

package io.steadfs.hadoop;

import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;

/** Checks that names of extended attributes have the form that Hadoop demands. No request is sent for a bad name, as in HDFS. */
final class XattrNames {
    private static final Set<String> NAMESPACES = Set.of("user", "trusted", "security", "system", "raw");

    private XattrNames() {}

    /**
     * Converts a name to the form that servers use. The caller may write the namespace in capitals.
     *
     * @throws HadoopIllegalArgumentException if the name does not have the form NAMESPACE.NAME
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

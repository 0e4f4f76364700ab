package io.steadfs.hadoop;

import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;

/** The form that Hadoop demands of names of extended attributes, looked at before anything is asked, as HDFS's client does. */
final class XattrNames {
    private static final Set<String> NAMESPACES = Set.of("user", "trusted", "security", "system", "raw");

    private XattrNames() {}

    /** @throws HadoopIllegalArgumentException if it is not NAMESPACE.NAME */
    static String check(String name) {
        int dot = name.indexOf('.');
        if (dot < 0 || dot == name.length() - 1 || !NAMESPACES.contains(name.substring(0, dot))) {
            throw new HadoopIllegalArgumentException("the name of an extended attribute is one of " + NAMESPACES
                    + ", a dot, and a name, but not '" + name + "'");
        }
        return name;
    }
}

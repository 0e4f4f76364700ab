package io.steadfs.it.rules;

import java.util.List;
import java.util.stream.Stream;

/**
 * All tables of rules, in the order of the page. A row is
 *
 * <pre>rule | before | who calls | calls | answer | after</pre>
 *
 * <p>Before and after are all things that are there, in the directory of the case, which is {@code .}; {@code same} = as before, times
 * included. {@code d} is always there, unless the row says {@code no d}. It is of the kind under test, as is {@code e}: both have names
 * beside those that the row tells, unless they are {@code empty}. A thing is a path and, if they are not the usual ones:
 *
 * <pre>
 * a/               a directory
 * owner:staff      user and group
 * 644              mode; of directories 755, of files 644
 * =abc             bytes of a file
 * -&gt;f              target of a symbolic link, which is a path from the link's directory on
 * user.a=1         an extended attribute
 * *                the modification time is a new one. Without it, it is the one of before, also of a thing that has a new name
 * &#64;5 ^6            modification and access time that were set
 * full             a directory has the names that d has before
 * </pre>
 *
 * <p>Of several calls the last one is judged. {@code owner: chmod d 700} is a call by another user than that of the row. The users are
 * superuser, owner (of the groups staff and crew), member (of the group staff) and other (of the group guests).
 *
 * <p>The answers are from docs/semantics.md, docs/hadoop.md, the description of Hadoop's {@code FileSystem}, HDFS and POSIX, in this order.
 */
final class RuleBook {
    static final List<Rule> ALL = Stream.of(NameRules.ALL, RenameRules.ALL, ContentRules.ALL, AttributeRules.ALL)
            .flatMap(List::stream)
            .toList();

    private RuleBook() {}
}

package io.steadfs.it.rules;

import java.util.List;
import java.util.stream.Stream;

/** Rules for reading and writing what names lead to. {@link RuleBook} says how a row is read. */
final class ContentRules {
    static final List<Rule> OPEN = Rule.table("open", """
            reads a file                                          | d/f =abc                 | owner  | open d/f             | abc                         | same
            by its owner, by the owner's bits                     | d/f 400 =abc             | owner  | open d/f             | abc                         | same
            by its owner, by no other bits                        | d/f 044 =abc             | owner  | open d/f             | AccessControlException      | same
            by a member of the group, by the group's bits         | d/f 040 =abc             | member | open d/f             | abc                         | same
            by a member of the group, by no other bits            | d/f 604 =abc             | member | open d/f             | AccessControlException      | same
            by others, by the bits for others                     | d/f 004 =abc             | other  | open d/f             | abc                         | same
            by others, by no other bits                           | d/f 660 =abc             | other  | open d/f             | AccessControlException      | same
            the superuser needs no permission                     | d 000, d/f 000 =abc      | superuser | open d/f          | abc                         | same
            x on the directory is enough                          | d 711, d/f =abc          | other  | open d/f             | abc                         | same
            r without x on the directory is not enough            | d 744, d/f =abc          | other  | open d/f             | AccessControlException      | same
            of what is not there                                  |                          | owner  | open d/f             | FileNotFoundException       | same
            of a directory                                        | d/a/                     | owner  | open d/a             | FileNotFoundException       | same
            below a file                                          | d/f                      | owner  | open d/f/g           | FileNotFoundException       | same
            follows a link                                        | d/f =abc, d/l ->f        | owner  | open d/l             | abc                         | same
            follows a link to another directory                   | e, e/f =abc, d/l ->../e/f | owner | open d/l             | abc                         | same
            follows a link and goes on below it                   | e, e/f =abc, d/l ->../e  | owner  | open d/l/f           | abc                         | same
            of a link to nothing                                  | d/l ->none               | owner  | open d/l             | FileNotFoundException       | same
            a link leads nobody into a closed directory           | e 700, e/f =abc, d/l ->../e/f | other | open d/l         | AccessControlException      | same
            what was closed is closed at once                     | d/f =abc                 | other  | open d/f; owner: chmod d 700; open d/f | AccessControlException | d 700, d/f =abc
            what was opened is open at once                       | d 700, d/f =abc          | other  | owner: chmod d 711; open d/f | abc                 | d 711, d/f =abc
            """);

    static final List<Rule> APPEND = Rule.table("append", """
            adds bytes, and leaves the directory's time           | d/f =abc                 | owner  | append d/f de        | done                        | d/f =abcde *
            by a member of the group who may write                | d/f 664 =abc             | member | append d/f de        | done                        | d/f 664 =abcde *
            by others who may not write                           | d/f 664 =abc             | other  | append d/f de        | AccessControlException      | same
            needs no permission to write the directory            | d other:guests, d/f =abc | owner  | append d/f de        | done                        | d other:guests, d/f =abcde *
            of what is not there                                  |                          | owner  | append d/f de        | FileNotFoundException       | same
            of a directory                                        | d/a/                     | owner  | append d/a de        | FileAlreadyExistsException  | same
            """);

    static final List<Rule> TRUNCATE = Rule.table("truncate", """
            cuts a file                                           | d/f =abc                 | owner  | truncate d/f 1       | true                        | d/f =a *
            to nothing                                            | d/f =abc                 | owner  | truncate d/f 0       | true                        | d/f *
            to what it has                                        | d/f =abc                 | owner  | truncate d/f 3       | true                        | same
            to more than it has                                   | d/f =abc                 | owner  | truncate d/f 4       | PathIOException INVALID_ARGUMENT | same
            by a member of the group who may write                | d/f 664 =abc             | member | truncate d/f 1       | true                        | d/f 664 =a *
            by others who may not write                           | d/f 664 =abc             | other  | truncate d/f 1       | AccessControlException      | same
            of what is not there                                  |                          | owner  | truncate d/f 0       | FileNotFoundException       | same
            of a directory                                        | d/a/                     | owner  | truncate d/a 0       | FileNotFoundException       | same
            """);

    static final List<Rule> READDIR = Rule.table("readdir", """
            tells all names                                       | d/f, d/a/, d/l ->f       | owner  | list d               | [a f l]                     | same
            of a directory without names                          | d empty                  | owner  | list d               | []                          | same
            of a file tells the file                              | d/f                      | owner  | list d/f             | [f]                         | same
            of what is not there                                  |                          | owner  | list d/a             | FileNotFoundException       | same
            below a file                                          | d/f                      | owner  | list d/f/a           | FileNotFoundException       | same
            through a link                                        | e, e/f, d/l ->../e       | owner  | list d/l             | [f]                         | same
            tells a new name at once                              |                          | owner  | member: list d; create d/f; list d | [f]           | d *, d/f *
            tells no name that has gone                           | d/f, d/g                 | owner  | delete d/f; list d   | [g]                         | d *, d/g
            tells a name that has changed once                    | d/f                      | owner  | rename d/f d/g; list d | [g]                       | d *, d/g
            by others who may read and enter                      | d 705, d/f               | other  | list d               | [f]                         | same
            x without r is not enough                             | d 711, d/f               | other  | list d               | AccessControlException      | same
            r without x is not enough                             | d 744, d/f               | other  | list d               | AccessControlException      | same
            by its owner, by no other bits                        | d 077, d/f               | owner  | list d               | AccessControlException      | same
            the superuser needs no permission                     | d 000, d/f               | superuser | list d            | [f]                         | same
            """);

    static final List<Rule> STAT = Rule.table("stat", """
            needs no permission on the file                       | d 711, d/f 000           | other  | stat d/f             | file owner:staff 0          | same
            needs none on the directory, of the directory itself  | d 000                    | other  | stat d               | directory owner:staff 0     | same
            r without x on the directory is not enough            | d 744, d/f               | other  | stat d/f             | AccessControlException      | same
            of what is not there                                  |                          | owner  | stat d/f             | FileNotFoundException       | same
            of what is not there, in a closed directory           | d 744                    | other  | stat d/f             | AccessControlException      | same
            below a file                                          | d/f                      | owner  | stat d/f/g           | FileNotFoundException       | same
            nothing is below a file                               | d/f                      | owner  | exists d/f/g         | false                       | same
            follows a link                                        | d/f 600, d/l ->f         | owner  | stat d/l             | file owner:staff 600        | same
            of a link itself                                      | d/f 600, d/l ->f         | owner  | lstat d/l            | link owner:staff 777        | same
            of a link to nothing                                  | d/l ->none               | owner  | stat d/l             | FileNotFoundException       | same
            of a name of 256 bytes                                |                          | owner  | stat d/{256}         | FileNotFoundException       | same
            """);

    static final List<Rule> ALL = Stream.of(OPEN, APPEND, TRUNCATE, READDIR, STAT)
            .flatMap(List::stream)
            .toList();

    private ContentRules() {}
}

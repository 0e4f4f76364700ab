package io.steadfs.it.rules;

import java.util.List;
import java.util.stream.Stream;

/** Rules for other names of what is there. {@link RuleBook} says how a row is read. */
final class RenameRules {
    static final List<Rule> RENAME = Rule.table("rename", """
            gives a file another name                             | d/f 640 =abc             | owner  | rename d/f d/g       | true                        | d *, d/g 640 =abc
            moves a file to another directory                     | d/f =abc, e              | owner  | rename d/f e/g       | true                        | d *, e *, e/g =abc
            moves a directory with all below                      | d/a/b/f, e               | owner  | rename d/a e/c       | true                        | d *, e *, e/c/b/f
            of the directory itself                               | d 750, d/f               | owner  | rename d g           | true                        | . *, no d, g/ 750 full, g/f
            of the directory itself to another parent             | d/f, e                   | owner  | rename d e/g         | true                        | . *, no d, e *, e/g/ full, e/g/f
            names are found below the new name                    | d/f =abc                 | owner  | rename d g; open g/f | abc                         | . *, no d, g/ full, g/f =abc
            nothing is below the old name                         | d/f =abc                 | owner  | rename d g; open d/f | FileNotFoundException       | . *, no d, g/ full, g/f =abc
            onto a file                                           | d/f =a, d/g =b           | owner  | rename d/f d/g       | false                       | same
            of a directory onto a file                            | d/a/, d/f                | owner  | rename d/a d/f       | false                       | same
            into a directory that is there                        | d/f =abc, e              | owner  | rename d/f e         | true                        | d *, e *, e/f =abc
            into a directory that has such a name                 | d/f =a, e, e/f =b        | owner  | rename d/f e         | false                       | same
            of a file to its own name                             | d/f                      | owner  | rename d/f d/f       | true                        | same
            of a directory to its own name                        | d/a/                     | owner  | rename d/a d/a       | false                       | same
            of what is not there                                  |                          | owner  | rename d/f d/g       | false                       | same
            to where no directory is                              | d/f                      | owner  | rename d/f d/a/g     | false                       | same
            to below a file                                       | d/f, d/g                 | owner  | rename d/f d/g/h     | ParentNotDirectoryException | same
            of a directory to below itself                        | d/a/b/                   | owner  | rename d/a d/a/b/c   | false                       | same
            of the directory to below itself                      | d/a/                     | owner  | rename d d/a/c       | false                       | same
            moves a link as it is                                 | d/f, d/l ->f             | owner  | rename d/l d/m       | true                        | d *, d/f, d/m ->f
            moves a link to nothing                               | d/l ->none, e            | owner  | rename d/l e/l       | true                        | d *, e *, e/l ->none
            needs no permission on the file                       | d 775, d/f 000           | member | rename d/f d/g       | true                        | d 775 *, d/g 000
            a directory may be moved by who may not write it      | d 777, d/a/f, e 777      | member | rename d/a e/a       | true                        | d 777 *, e 777 *, e/a/f
            from a directory that the caller may not write        | d/f 666, e 777           | member | rename d/f e/f       | AccessControlException      | same
            to a directory that the caller may not write          | d 777, d/f 666, e        | member | rename d/f e/f       | AccessControlException      | same
            from a directory that the caller may not enter        | d 776, d/f 666, e 777    | other  | rename d/f e/f       | AccessControlException      | same
            to a directory that the caller may not enter          | d 777, d/f 666, e 776    | other  | rename d/f e/f       | AccessControlException      | same
            sticky: the file's owner                              | d 1777, d/f member:staff | member | rename d/f d/g       | true                        | d 1777 *, d/g member:staff
            sticky: the directory's owner                         | d 1777, d/f member:staff | owner  | rename d/f d/g       | true                        | d 1777 *, d/g member:staff
            sticky: somebody else                                 | d 1777, d/f member:staff 666 | other | rename d/f d/g    | AccessControlException      | same
            sticky: somebody else, to another directory           | d 1777, d/f member:staff, e 777 | other | rename d/f e/g | AccessControlException      | same
            sticky: the superuser                                 | d 1777, d/f member:staff | superuser | rename d/f d/g    | true                        | d 1777 *, d/g member:staff
            to a name of 255 bytes                                | d/f                      | owner  | rename d/f d/{255}   | true                        | d *, d/{255}
            """);

    static final List<Rule> ONTO = Rule.table("rename onto exactly a name", """
            gives a file another name                             | d/f =abc                 | owner  | rename-new d/f d/g   | done                        | d *, d/g =abc
            replaces nothing unasked                              | d/f =a, d/g =b           | owner  | rename-new d/f d/g   | FileAlreadyExistsException  | same
            replaces no empty directory unasked                   | d/a/, e empty            | owner  | rename-new d/a e     | FileAlreadyExistsException  | same
            replaces a file                                       | d/f =a, d/g 600 =b       | owner  | replace d/f d/g      | done                        | d *, d/g =a
            replaces a file in another directory                  | d/f =a, e, e/f =b        | owner  | replace d/f e/f      | done                        | d *, e *, e/f =a
            replaces an empty directory                           | d/a/f, d/b/              | owner  | replace d/a d/b      | done                        | d *, d/b/f
            replaces the directory, once it is empty              | d empty, e, e/f          | owner  | replace e d          | done                        | . *, no e, d full, d/f
            replaces no directory with names                      | d/f, e                   | owner  | replace e d          | PathIsNotEmptyDirectoryException | same
            replaces no directory by a file                       | d empty, f               | owner  | replace f d          | FileAlreadyExistsException  | same
            replaces no file by a directory                       | d/f, e                   | owner  | replace e d/f        | PathIOException INVALID_RENAME | same
            replaces no file by a directory unasked               | d/f, e                   | owner  | rename-new e d/f     | FileAlreadyExistsException  | same
            replaces a link, not what it leads to                 | d/f =a, d/g =b, d/l ->g  | owner  | replace d/f d/l      | done                        | d *, d/g =b, d/l =a
            of a file to its own name                             | d/f                      | owner  | replace d/f d/f      | FileAlreadyExistsException  | same
            of what is not there                                  |                          | owner  | replace d/f d/g      | FileNotFoundException       | same
            to where no directory is                              | d/f                      | owner  | replace d/f d/a/g    | FileNotFoundException       | same
            to below a file                                       | d/f, d/g                 | owner  | replace d/f d/g/h    | ParentNotDirectoryException | same
            of the directory to below itself                      | d/a/                     | owner  | replace d d/a/c      | PathIOException INVALID_RENAME | same
            needs no permission on what is replaced               | d 777, d/f 666 =a, d/g 000 =b | other | replace d/f d/g  | done                        | d 777 *, d/g 666 =a
            sticky: somebody else replaces no file                | d 777, d/f, e 1777, e/g  | member | replace d/f e/g      | AccessControlException      | same
            sticky: the replaced file's owner                     | d 777, d/f, e 1777, e/g member:staff | member | replace d/f e/g | done                    | d 777 *, e 1777 *, e/g
            """);

    static final List<Rule> ALL = Stream.of(RENAME, ONTO).flatMap(List::stream).toList();

    private RenameRules() {}
}

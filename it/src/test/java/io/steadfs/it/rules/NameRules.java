package io.steadfs.it.rules;

import java.util.List;
import java.util.stream.Stream;

/** Rules for making and removing names. {@link RuleBook} says how a row is read. */
final class NameRules {
    static final List<Rule> MKDIR = Rule.table("mkdir", """
            makes a directory                                     |                          | owner  | mkdir d/a 750        | done                        | d *, d/a/ 750 *
            the umask takes bits away                             |                          | owner  | mkdir d/a 777        | done                        | d *, d/a/ 755 *
            the maker owns it, the group is the directory's       | d other:guests 777       | member | mkdir d/a 755        | done                        | d other:guests 777 *, d/a/ member:guests *
            without its parent                                    |                          | owner  | mkdir d/a/b 755      | FileNotFoundException       | same
            makes missing parents                                 |                          | owner  | mkdirs d/a/b/c 755   | true                        | d *, d/a/ *, d/a/b/ *, d/a/b/c/ *
            parents let their maker in, whatever the mode is      | d 500                    | superuser | mkdirs d/a/b 500  | true                        | d 500 *, d/a/ root:staff 700 *, d/a/b/ root:staff 500 *
            of a directory that is there changes nothing          | d/a/ 700                 | owner  | mkdirs d/a 755       | true                        | same
            where a file is                                       | d/f                      | owner  | mkdirs d/f 755       | FileAlreadyExistsException  | same
            below a file                                          | d/f                      | owner  | mkdirs d/f/a 755     | ParentNotDirectoryException | same
            below a link to a directory                           | d/a/, d/l ->a            | owner  | mkdir d/l/b 755      | done                        | d/a/ *, d/a/b/ *, d/l ->a
            where a link to a directory is                        | d/a/, d/l ->a            | owner  | mkdirs d/l 755       | true                        | same
            by a member of the group who may write                | d 775                    | member | mkdir d/a 755        | done                        | d 775 *, d/a/ member:staff *
            by a member of the group who may not write            |                          | member | mkdir d/a 755        | AccessControlException      | same
            by others who may not write                           | d 775                    | other  | mkdir d/a 755        | AccessControlException      | same
            others may write, but the member's own class may not  | d 757                    | member | mkdir d/a 755        | AccessControlException      | same
            others may write, but the owner's own class may not   | d 577                    | owner  | mkdir d/a 755        | AccessControlException      | same
            to write without x is not enough                      | d 756                    | other  | mkdir d/a 755        | AccessControlException      | same
            the superuser needs no permission                     | d 000                    | superuser | mkdir d/a 755     | done                        | d 000 *, d/a/ root:staff *
            a name of 255 bytes                                   |                          | owner  | mkdir d/{255} 755    | done                        | d *, d/{255}/ *
            a name of 256 bytes                                   |                          | owner  | mkdir d/{256} 755    | PathIOException NAME_TOO_LONG | same
            """);

    static final List<Rule> CREATE = Rule.table("create", """
            makes an empty file                                   |                          | owner  | create d/f 640       | done                        | d *, d/f 640 *
            the umask takes bits away                             |                          | owner  | create d/f 666       | done                        | d *, d/f 644 *
            the maker owns it, the group is the directory's       | d other:guests 777       | member | create d/f           | done                        | d other:guests 777 *, d/f member:guests *
            exclusive, where a file is                            | d/f =abc                 | owner  | create d/f           | FileAlreadyExistsException  | same
            exclusive, where a directory is                       | d/a/                     | owner  | create d/a           | FileAlreadyExistsException  | same
            exclusive, where a link to a file is                  | d/f =abc, d/l ->f        | owner  | create d/l           | FileAlreadyExistsException  | same
            through a link to nothing                             | d/l ->f                  | owner  | create d/l           | done                        | d *, d/f *, d/l ->f
            below a link to a directory                           | d/a/, d/l ->a            | owner  | create d/l/f         | done                        | d/a/ *, d/a/f *, d/l ->a
            makes missing parents                                 |                          | owner  | create d/a/b/f       | done                        | d *, d/a/ *, d/a/b/ *, d/a/b/f *
            not recursive, without its parent                     |                          | owner  | create-here d/a/f    | FileNotFoundException       | same
            below a file                                          | d/f                      | owner  | create d/f/g         | ParentNotDirectoryException | same
            by a member of the group who may write                | d 775                    | member | create d/f           | done                        | d 775 *, d/f member:staff *
            by a member of the group who may not write            |                          | member | create d/f           | AccessControlException      | same
            by others who may not write                           | d 775                    | other  | create d/f           | AccessControlException      | same
            by others who may write                               | d 703                    | other  | create d/f           | done                        | d 703 *, d/f other:staff *
            others may write, but the member's own class may not  | d 757                    | member | create d/f           | AccessControlException      | same
            to write without x is not enough                      | d 756                    | other  | create d/f           | AccessControlException      | same
            replaces a file of the caller's                       | d/f 600 =abc             | owner  | overwrite d/f 640    | done                        | d *, d/f 640 *
            replaces a file that the caller may write             | d 777, d/f 666 =abc      | member | overwrite d/f        | done                        | d 777 *, d/f member:staff *
            replaces no file that the caller may not write        | d 777, d/f =abc          | member | overwrite d/f        | AccessControlException      | same
            replaces no file in a directory that he may not write | d/f 666 =abc             | member | overwrite d/f        | AccessControlException      | same
            replaces no directory                                 | d/a/                     | owner  | overwrite d/a        | FileAlreadyExistsException  | same
            a name of 255 bytes                                   |                          | owner  | create d/{255}       | done                        | d *, d/{255} *
            a name of 256 bytes                                   |                          | owner  | create d/{256}       | PathIOException NAME_TOO_LONG | same
            """);

    static final List<Rule> UNLINK = Rule.table("unlink", """
            removes a file                                        | d/f =abc, d/g            | owner  | delete d/f           | true                        | d *, d/g
            of what is not there                                  |                          | owner  | delete d/f           | false                       | same
            below a file                                          | d/f                      | owner  | delete d/f/g         | false                       | same
            removes a link, not what it leads to                  | d/f, d/l ->f             | owner  | delete d/l           | true                        | d *, d/f
            removes a link to nothing                             | d/l ->none               | owner  | delete d/l           | true                        | d *
            needs no permission on the file                       | d 775, d/f 000           | member | delete d/f           | true                        | d 775 *
            by a member of the group who may not write            | d/f member:staff 666     | member | delete d/f           | AccessControlException      | same
            by others who may not write                           | d 775, d/f 666           | other  | delete d/f           | AccessControlException      | same
            to write without x is not enough                      | d 756, d/f 666           | other  | delete d/f           | AccessControlException      | same
            sticky: the file's owner                              | d 1777, d/f member:staff | member | delete d/f           | true                        | d 1777 *
            sticky: the directory's owner                         | d 1777, d/f member:staff | owner  | delete d/f           | true                        | d 1777 *
            sticky: somebody else                                 | d 1777, d/f member:staff 666 | other | delete d/f        | AccessControlException      | same
            sticky: the superuser                                 | d 1777, d/f member:staff | superuser | delete d/f        | true                        | d 1777 *
            a name can be made again                              | d/f =abc                 | owner  | delete d/f; create d/f; list d | [f]                | d *, d/f *
            """);

    static final List<Rule> RMDIR = Rule.table("rmdir", """
            removes an empty directory                            | d/a/                     | owner  | delete d/a           | true                        | d *
            of one that has names                                 | d/a/f                    | owner  | delete d/a           | PathIsNotEmptyDirectoryException | same
            of the directory that has all its names               |                          | owner  | delete d             | PathIsNotEmptyDirectoryException | same
            of the directory that never had one, or lost them     | d empty                  | owner  | delete d             | true                        | . *, no d
            of the directory with one name                        | d empty, d/f             | owner  | delete d             | PathIsNotEmptyDirectoryException | same
            of the directory with one link to nothing             | d empty, d/l ->none      | owner  | delete d             | PathIsNotEmptyDirectoryException | same
            of the directory whose last name has just gone        | d empty, d/f             | owner  | delete d/f; delete d | true                        | . *, no d
            of the directory whose last name was moved away       | d empty, d/f, e          | owner  | rename d/f e/f; delete d | true                    | . *, no d, e *, e/f
            needs no permission on the directory itself           | d other:guests 000 empty | owner  | delete d             | true                        | . *, no d
            by others who may not write its parent                | d 777 empty              | member | delete d             | AccessControlException      | same
            sticky: somebody else                                 | d 1777, d/a/ member:staff | other | delete d/a           | AccessControlException      | same
            sticky: the owner of what is removed                  | d 1777, d/a/ member:staff | member | delete d/a          | true                        | d 1777 *
            then it is not there                                  | d empty                  | owner  | delete d; stat d     | FileNotFoundException       | . *, no d
            then it can be made again, and is empty               | d/f                      | owner  | delete-all d; mkdir d 755; list d | []             | . *, d empty *
            """);

    static final List<Rule> REMOVE_TREE = Rule.table("recursive delete", """
            removes all that is below                             | d/a/f, d/g               | owner  | delete-all d         | true                        | . *, no d
            removes a file                                        | d/f                      | owner  | delete-all d/f       | true                        | d *
            of what is not there                                  |                          | owner  | delete-all d/f       | false                       | same
            does not go through links                             | e, e/f, d/l ->../e       | owner  | delete-all d         | true                        | . *, no d, e, e/f
            of a link removes the link                            | e, e/f, d/l ->../e       | owner  | delete-all d/l       | true                        | d *, e, e/f
            by others who may not write its parent                | d 777                    | other  | delete-all d         | AccessControlException      | same
            of a directory with names that the caller may not change | d 555                 | owner  | delete-all d         | AccessControlException      | same
            with a closed directory with names below              | d/a/ other:guests, d/a/f | owner  | delete-all d         | AccessControlException      | same
            with a closed directory without names below           | d/a/ other:guests 000    | owner  | delete-all d         | true                        | . *, no d
            the superuser needs no permission                     | d 000, d/a/ other:guests 000, d/a/f | superuser | delete-all d | true                     | . *, no d
            """);

    static final List<Rule> SYMLINK = Rule.table("symlink", """
            makes a link to a file                                | d/f                      | owner  | symlink f d/l        | done                        | d *, d/f, d/l ->f
            makes a link to nothing                               |                          | owner  | symlink none d/l     | done                        | d *, d/l ->none
            where a name is                                       | d/f                      | owner  | symlink g d/f        | FileAlreadyExistsException  | same
            where a link to nothing is                            | d/l ->none               | owner  | symlink g d/l        | FileAlreadyExistsException  | same
            without its parent                                    |                          | owner  | symlink f d/a/l      | FileNotFoundException       | same
            below a file                                          | d/f                      | owner  | symlink g d/f/l      | ParentNotDirectoryException | same
            by others who may not write                           |                          | other  | symlink f d/l        | AccessControlException      | same
            the maker owns it, and its mode is 777                | d 777                    | member | symlink f d/l; lstat d/l | link member:staff 777   | d 777 *, d/l member:staff ->f
            its target is as it was written                       | d/l ->../e/none          | other  | readlink d/l         | ../e/none                   | same
            a file has no target                                  | d/f                      | owner  | readlink d/f         | IOException                 | same
            a link to itself leads nowhere                        | d/l ->l                  | owner  | open d/l             | IOException UNRESOLVED_LINK | same
            sticky: somebody else does not remove a link          | d 1777, d/l ->f          | other  | delete d/l           | AccessControlException      | same
            """);

    static final List<Rule> ALL = Stream.of(MKDIR, CREATE, UNLINK, RMDIR, REMOVE_TREE, SYMLINK)
            .flatMap(List::stream)
            .toList();

    private NameRules() {}
}

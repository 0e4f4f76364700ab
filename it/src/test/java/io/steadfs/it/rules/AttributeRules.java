package io.steadfs.it.rules;

import java.util.List;
import java.util.stream.Stream;

/** Rules for attributes of files and directories. {@link RuleBook} says how a row is read. */
final class AttributeRules {
    static final List<Rule> CHMOD = Rule.table("chmod", """
            by the owner                                          | d/f                      | owner  | chmod d/f 600        | done                        | d/f 600
            by the superuser                                      | d/f member:crew          | superuser | chmod d/f 600     | done                        | d/f member:crew 600
            by a member of the group                              | d/f 664                  | member | chmod d/f 600        | AccessControlException      | same
            by others, whatever they may write                    | d 777, d/f 777           | other  | chmod d/f 600        | AccessControlException      | same
            of the directory, by the owner                        | d/f                      | owner  | chmod d 700          | done                        | d 700, d/f
            of the directory, by others                           | d 777                    | other  | chmod d 700          | AccessControlException      | same
            sets the sticky bit                                   |                          | owner  | chmod d 1777         | done                        | d 1777
            takes the sticky bit away                             | d 1777                   | owner  | chmod d 777          | done                        | d 777
            the sticky bit counts at once                         | d 777, d/f               | other  | owner: chmod d 1777; delete d/f | AccessControlException | d 1777, d/f
            of what is not there                                  |                          | owner  | chmod d/f 600        | FileNotFoundException       | same
            below a file                                          | d/f                      | owner  | chmod d/f/g 600      | FileNotFoundException       | same
            needs x on the directory, even of one's own file      | d 744, d/f other:guests  | other  | chmod d/f 600        | AccessControlException      | same
            x on the directory is enough                          | d 711, d/f other:guests  | other  | chmod d/f 600        | done                        | d 711, d/f other:guests 600
            follows a link                                        | d/f, d/l ->f             | owner  | chmod d/l 600        | done                        | d/f 600, d/l ->f
            """);

    static final List<Rule> CHOWN = Rule.table("chown", """
            by the superuser                                      | d/f 640                  | superuser | chown d/f other:guests | done                   | d/f other:guests 640
            of the directory, by the superuser                    | d/f                      | superuser | chown d other:guests | done                     | d other:guests, d/f
            the owner gives nothing away                          | d/f                      | owner  | chown d/f member:    | AccessControlException      | same
            by others                                             | d 777, d/f 777           | other  | chown d/f other:     | AccessControlException      | same
            of the directory, by its owner                        |                          | owner  | chown d member:      | AccessControlException      | same
            the group, by the owner, to a group of his            | d/f 640                  | owner  | chown d/f :crew      | done                        | d/f owner:crew 640
            the directory's group, by its owner                   |                          | owner  | chown d :crew        | done                        | d owner:crew
            the group, by the owner, to a group of others         | d/f                      | owner  | chown d/f :guests    | AccessControlException      | same
            the group, by a member of it                          | d/f 664                  | member | chown d/f :staff     | AccessControlException      | same
            the group, by the superuser, to any group             | d/f                      | superuser | chown d/f :wheel  | done                        | d/f owner:wheel
            the new owner may what owners may                     | d/f                      | other  | superuser: chown d/f other:; chmod d/f 600 | done  | d/f other:staff 600
            the old owner may it no more                          | d/f                      | owner  | superuser: chown d/f other:; chmod d/f 600 | AccessControlException | d/f other:staff
            a new group of the directory counts at once           | d 770, d/f               | other  | superuser: chown d :guests; create d/g; list d | [f g] | d owner:guests 770 *, d/f, d/g other:guests *
            of what is not there                                  |                          | superuser | chown d/f other:  | FileNotFoundException       | same
            follows a link                                        | d/f, d/l ->f             | superuser | chown d/l other:  | done                        | d/f other:staff, d/l ->f
            """);

    static final List<Rule> TIMES = Rule.table("times", """
            by the owner                                          | d/f                      | owner  | times d/f 5000 6000  | done                        | d/f @5000 ^6000
            by the owner who may not write                        | d/f 444                  | owner  | times d/f 5000 6000  | done                        | d/f 444 @5000 ^6000
            by others who may write                               | d/f 666                  | other  | times d/f 5000 6000  | done                        | d/f 666 @5000 ^6000
            by others who may not write                           | d/f                      | other  | times d/f 5000 6000  | AccessControlException      | same
            by the superuser                                      | d/f 000                  | superuser | times d/f 5000 6000 | done                      | d/f 000 @5000 ^6000
            a negative time leaves it as it is                    | d/f                      | owner  | times d/f -1 6000    | done                        | d/f ^6000
            of the directory                                      | d/f                      | owner  | times d 5000 6000    | done                        | d @5000, d/f
            a new name sets the directory's time anew             | d/f                      | owner  | times d 5000 -1; create d/g | done                 | d *, d/f, d/g *
            a name that goes sets the directory's time anew       | d/f, d/g                 | owner  | times d 5000 -1; delete d/g | true                 | d *, d/f
            what changes below a name leaves the directory's time | d/a/                     | owner  | create d/a/f         | done                        | d/a/ *, d/a/f *
            of what is not there                                  |                          | owner  | times d/f 5000 6000  | FileNotFoundException       | same
            """);

    static final List<Rule> XATTRS = Rule.table("extended attributes", """
            set on a file                                         | d/f                      | owner  | set-xattr d/f user.a 1 | done                      | d/f user.a=1
            set on the directory                                  | d/f                      | owner  | set-xattr d user.a 1 | done                        | d user.a=1, d/f
            set anew                                              | d/f user.a=1             | owner  | set-xattr d/f user.a 2 | done                      | d/f user.a=2
            made where one is                                     | d/f user.a=1             | owner  | new-xattr d/f user.a 2 | PathIOException XATTR_EXISTS | same
            changed where none is                                 | d/f user.b=1             | owner  | change-xattr d/f user.a 2 | PathIOException XATTR_NOT_FOUND | same
            set by a member of the group who may write            | d/f 664                  | member | set-xattr d/f user.a 1 | done                      | d/f 664 user.a=1
            set by others who may not write                       | d/f user.b=1             | other  | set-xattr d/f user.a 1 | AccessControlException    | same
            got by others who may read                            | d/f user.a=1             | other  | get-xattr d/f user.a | 1                           | same
            got by others who may not read                        | d/f 640 user.a=1         | other  | get-xattr d/f user.a | AccessControlException      | same
            one that is not there                                 | d/f user.b=1             | owner  | get-xattr d/f user.a | PathIOException XATTR_NOT_FOUND | same
            removed                                               | d/f user.a=1 user.b=2    | owner  | remove-xattr d/f user.a | done                     | d/f user.b=2
            removed by others who may not write                   | d/f user.a=1             | other  | remove-xattr d/f user.a | AccessControlException   | same
            removed where none is                                 | d/f user.b=1             | owner  | remove-xattr d/f user.a | PathIOException XATTR_NOT_FOUND | same
            sticky: others set none on the directory              | d 1777 user.b=1          | member | set-xattr d user.a 1 | AccessControlException      | same
            of the superuser's own, by the superuser              | d/f                      | superuser | set-xattr d/f trusted.a 1 | done                | d/f trusted.a=1
            of the superuser's own, by the owner                  | d/f user.b=1             | owner  | set-xattr d/f trusted.a 1 | AccessControlException | same
            of the system                                         | d/f user.b=1             | owner  | set-xattr d/f system.a 1 | AccessControlException  | same
            they stay when the name changes                       | d/f user.a=1, e          | owner  | rename d/f e/g       | true                        | d *, e *, e/g user.a=1
            they go with a file that is replaced                  | d/f user.a=1             | owner  | overwrite d/f; get-xattr d/f user.a | PathIOException XATTR_NOT_FOUND | d *, d/f *
            """);

    static final List<Rule> ACCESS = Rule.table("access", """
            tells the owner by the owner's bits                   | d/f 477                  | owner  | access d/f rw-       | AccessControlException      | same
            tells a member of the group by the group's bits       | d/f 747                  | member | access d/f rw-       | AccessControlException      | same
            tells others by the bits for others                   | d/f 006                  | other  | access d/f rw-       | done                        | same
            of a closed directory                                 | d 666, d/f 777           | other  | access d/f r--       | AccessControlException      | same
            of what is not there                                  |                          | owner  | access d/f r--       | FileNotFoundException       | same
            """);

    static final List<Rule> ALL =
            Stream.of(CHMOD, CHOWN, TIMES, XATTRS, ACCESS).flatMap(List::stream).toList();

    private AttributeRules() {}
}

package io.steadfs.it.judge;

import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * A path as a program hands it in. It is made on each side from that side's address and directory, so that both get the
 * same but for the address.
 *
 * @param below names below the directory of the episode, joined by '/'
 */
record OddPath(Form form, String below) {
    /** How a program comes to a path. */
    enum Form {
        /** From text: {@code /base/below}. */
        TEXT {
            @Override
            Path path(URI address, Path base, String below) {
                return new Path(base.toUri().getPath() + "/" + below);
            }
        },
        /** From text with scheme and authority. */
        WHOLE {
            @Override
            Path path(URI address, Path base, String below) {
                return new Path(address + base.toUri().getPath() + "/" + below);
            }
        },
        /** From a URI that ends in a slash, which Hadoop keeps. */
        SLASH {
            @Override
            Path path(URI address, Path base, String below) throws URISyntaxException {
                return of(
                        address.getScheme(),
                        address.getAuthority(),
                        base.toUri().getPath() + "/" + below + "/");
            }
        },
        /** From a URI with an empty component. */
        DOUBLE_SLASH {
            @Override
            Path path(URI address, Path base, String below) throws URISyntaxException {
                return of(null, null, base.toUri().getPath() + "//" + below);
            }
        },
        /** From a URI with components that mean here and up. */
        DOTS {
            @Override
            Path path(URI address, Path base, String below) throws URISyntaxException {
                return of(null, null, base.toUri().getPath() + "/./up/../" + below);
            }
        },
        /** Relative to the working directory. */
        RELATIVE {
            @Override
            Path path(URI address, Path base, String below) {
                return new Path(below);
            }
        },
        /** Relative and from its parts, so that a colon in it is no scheme. */
        PARTS {
            @Override
            Path path(URI address, Path base, String below) {
                return new Path(null, null, below);
            }
        },
        /** With a scheme, and no authority. */
        SCHEME_ALONE {
            @Override
            Path path(URI address, Path base, String below) {
                return new Path(address.getScheme() + ":" + base.toUri().getPath() + "/" + below);
            }
        },
        /** Another cluster. */
        OTHER_AUTHORITY {
            @Override
            Path path(URI address, Path base, String below) {
                return new Path(
                        address.getScheme() + "://elsewhere:1" + base.toUri().getPath() + "/" + below);
            }
        },
        /** A scheme of nobody. */
        OTHER_SCHEME {
            @Override
            Path path(URI address, Path base, String below) {
                return new Path("nobody://elsewhere:1" + base.toUri().getPath() + "/" + below);
            }
        },
        /** The root. */
        ROOT {
            @Override
            Path path(URI address, Path base, String below) {
                return new Path("/");
            }
        };

        abstract Path path(URI address, Path base, String below) throws URISyntaxException;

        private static Path of(@Nullable String scheme, @Nullable String authority, String path)
                throws URISyntaxException {
            return new Path(new URI(scheme, authority, path, null, null));
        }
    }

    Path on(Actor actor) throws URISyntaxException {
        return form.path(actor.uri(), actor.base(), below);
    }

    @Override
    public String toString() {
        String shown = below.length() <= 40 ? below : below.substring(0, 20) + "...(" + below.length() + " characters)";
        return form == Form.TEXT ? "'" + shown + "'" : form + " '" + shown + "'";
    }
}

/** Who may do what: users, sessions, roles. */
@NullMarked
package io.steadfs.webui.login;

import org.jspecify.annotations.NullMarked;

/** Users, sessions and roles: who may do what. */
@NullMarked
package io.steadfs.webui.login;

import org.jspecify.annotations.NullMarked;

/** The output of commands: tables for people, JSON for programs. */
@NullMarked
package io.steadfs.cli.report;

import org.jspecify.annotations.NullMarked;

/** The contract suites of Hadoop, run on the client jar that users get. */
package io.steadfs.contract;

package io.steadfs.it.power;

/** A request that is answered with an error number of the kernel. */
final class Refusal extends Exception {
    static final int NOT_PERMITTED = 1;
    static final int NO_ENTRY = 2;
    static final int IO_ERROR = 5;
    static final int EXISTS = 17;
    static final int OTHER_DEVICE = 18;
    static final int NOT_A_DIRECTORY = 20;
    static final int IS_A_DIRECTORY = 21;
    static final int INVALID = 22;
    static final int NOT_IMPLEMENTED = 38;
    static final int NOT_EMPTY = 39;
    static final int NOT_SUPPORTED = 95;
    static final int STALE = 116;

    private static final long serialVersionUID = 1;

    final int errorNumber;

    /** An answer like others, not a fault: without a stack trace. */
    Refusal(int errorNumber) {
        super("error number " + errorNumber, null, false, false);
        this.errorNumber = errorNumber;
    }
}

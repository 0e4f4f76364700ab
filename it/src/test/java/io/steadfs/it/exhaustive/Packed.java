package io.steadfs.it.exhaustive;

/** A state in 128 bits; see {@link Cell}. */
record Packed(long low, long high) {
    static final Packed ZERO = new Packed(0, 0);

    /** As a record has it by itself, bits that are 32 apart would cancel. */
    @Override
    public int hashCode() {
        return (int) ((((low * 0x9E37_79B9_7F4A_7C15L) ^ high) * 0xC2B2_AE3D_27D4_EB4FL) >>> Integer.SIZE);
    }
}

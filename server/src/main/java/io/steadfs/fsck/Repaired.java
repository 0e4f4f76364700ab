package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.wire.proto.RepairRow;

/**
 * The outcome of the repair of a finding.
 *
 * @param isRepaired whether the finding is repaired
 * @param what a description of the repair, or why the finding is not repaired
 * @param removed the bytes of the unreadable row that the repair removes; empty if the repair removes no such row
 */
public record Repaired(Finding finding, boolean isRepaired, String what, ByteString removed) {
    /** @param what what was done */
    static Repaired done(Finding finding, String what) {
        return new Repaired(finding, true, what, ByteString.EMPTY);
    }

    static Repaired not(Finding finding, String why) {
        return new Repaired(finding, false, why, ByteString.EMPTY);
    }

    byte[] encode() {
        return RepairRow.newBuilder()
                .setFinding(finding.row())
                .setRepaired(isRepaired)
                .setWhat(what)
                .setRemoved(removed)
                .build()
                .toByteArray();
    }

    static Repaired of(byte[] value) {
        try {
            RepairRow row = RepairRow.parseFrom(value);
            return new Repaired(Finding.of(row.getFinding()), row.getRepaired(), row.getWhat(), row.getRemoved());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("a repair of " + value.length + " bytes cannot be read", e);
        }
    }
}

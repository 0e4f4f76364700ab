package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.wire.proto.RepairRow;

/**
 * The outcome of the repair of a finding.
 *
 * @param isRepaired false if nothing was changed
 * @param what was done, or why nothing was
 * @param removed bytes of the removed row, which nobody could read
 */
public record Repaired(Finding finding, boolean isRepaired, String what, ByteString removed) {
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

package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.wire.proto.RepairRow;

/**
 * What became of a finding.
 *
 * @param isRepaired else it is as it was
 * @param what was done, or why nothing was
 * @param removed bytes that nobody could read and that are gone
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

package io.steadfs.recent;

import io.steadfs.error.FsError;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RecentMessagesReply;
import java.util.Optional;

/**
 * What a process keeps of one request and its reply, which it received or sent.
 *
 * @param number in the order in which a process noted them, from 1
 * @param received the request was received here; else it was sent from here
 * @param traceId of its operation; 0 = it belongs to none
 * @param peer of a received request, the sender's address; of a sent one, the server's, as the cluster map has it
 * @param senderPort of the sender's end of the connection; with {@code call} it tells a message from all others of its operation to the
 *     same server
 * @param call number of the call on its connection
 * @param bytes of the request's body and payload
 * @param outcome of the message; of one sent, it may also be a failure of the network
 */
public record RecentMessage(
        long number,
        boolean received,
        long traceId,
        Kind kind,
        String step,
        String peer,
        int senderPort,
        long call,
        long bytes,
        FsError outcome,
        MessageTimes times) {

    /** This message in wire form. */
    public RecentMessagesReply.RecentMessage encode() {
        return RecentMessagesReply.RecentMessage.newBuilder()
                .setNumber(number)
                .setReceived(received)
                .setTraceId(traceId)
                .setKind(kind.number())
                .setStep(step)
                .setPeer(peer)
                .setSenderPort(senderPort)
                .setCall(call)
                .setBytes(bytes)
                .setOutcome(outcome.code())
                .setBegunNanos(times.begun())
                .setStartedNanos(times.started())
                .setCommitBegunNanos(times.commitBegun())
                .setCommitEndedNanos(times.commitEnded())
                .setEndedNanos(times.ended())
                .build();
    }

    /** A message from its wire form. Empty for a kind that this release does not know. An outcome that it does not know becomes FAULT. */
    public static Optional<RecentMessage> decode(RecentMessagesReply.RecentMessage wire) {
        return Kind.byNumber(wire.getKind())
                .map(kind -> new RecentMessage(
                        wire.getNumber(),
                        wire.getReceived(),
                        wire.getTraceId(),
                        kind,
                        wire.getStep(),
                        wire.getPeer(),
                        wire.getSenderPort(),
                        wire.getCall(),
                        wire.getBytes(),
                        FsError.byCode(wire.getOutcome()).orElse(FsError.FAULT),
                        new MessageTimes(
                                wire.getBegunNanos(),
                                wire.getStartedNanos(),
                                wire.getCommitBegunNanos(),
                                wire.getCommitEndedNanos(),
                                wire.getEndedNanos())));
    }
}

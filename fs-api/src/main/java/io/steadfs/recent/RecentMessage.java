package io.steadfs.recent;

import io.steadfs.error.FsError;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RecentMessagesReply;
import java.util.Optional;

/**
 * What a process remembers of one message: of a request and its reply. The process received the request, or sent it.
 *
 * @param number place of the message in the order in which the process noted messages, from 1
 * @param received true if this process received the request; false if this process sent the request
 * @param traceId trace id of the operation to which the message belongs; 0 = the message belongs to no operation
 * @param peer for a received request, the sender's address, or that the sender came by the socket file; for a sent request, the server's address as the cluster map
 *     gives it
 * @param senderPort port of the sender's end of the connection, or the number that HELLO gave a connection without
 *     ports; this number and {@code call} together identify a message among all messages of one operation to one server
 * @param call number of the call on the connection
 * @param bytes number of bytes of the request's body and payload
 * @param outcome result of the request; for a sent request, the result may also be a failure of the network
 * @param times when the steps of the message happened
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

    /** Encodes this message for the wire. */
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

    /**
     * Decodes a message from the wire. Empty if this release does not know the message's kind. An outcome that this
     * release does not know becomes FAULT.
     */
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

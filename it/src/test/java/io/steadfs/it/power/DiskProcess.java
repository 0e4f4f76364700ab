package io.steadfs.it.power;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The process that the disks are in, with the device as standard input and output. It takes orders, one a line, on a Unix
 * socket, answers each with one line, and ends with that connection:
 *
 * <pre>
 *  make NAME            a new, empty disk                           ok
 *  cut NAME...          their power is gone, all at one moment      ok
 *  refuse NAME          who waits for it is told                    ok
 *  forget NAME          power again, nothing unsynced is kept       ok, the four numbers of {@link Loss}
 *  keep NAME SEED       power again, something unsynced is kept     ok, the four numbers
 *  lie NAME LIE         from now on, also in later lives            ok
 *                                                                   failed, why
 * </pre>
 */
final class DiskProcess {
    private static final int OVER = 0;
    private static final int FAILED = 1;

    private final FuseServer server = new FuseServer(new FuseDevice());

    private DiskProcess() {}

    /** @param arguments path of the socket to make */
    public static void main(String[] arguments) {
        DiskProcess process = new DiskProcess();
        Thread orders = new Thread(() -> end(() -> process.takeOrders(Path.of(arguments[0]))), "orders");
        orders.start();
        end(process.server::run);
    }

    private interface Task {
        void run() throws IOException;
    }

    /** Whatever ends first ends the process. */
    private static void end(Task task) {
        int code = FAILED;
        try {
            task.run();
            code = OVER;
        } catch (IOException | RuntimeException e) {
            e.printStackTrace(System.err);
        } finally {
            Runtime.getRuntime().halt(code);
        }
    }

    private void takeOrders(Path socket) throws IOException {
        try (ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            door.bind(UnixDomainSocketAddress.of(socket));
            try (SocketChannel connection = door.accept();
                    BufferedReader orders =
                            new BufferedReader(Channels.newReader(connection, StandardCharsets.UTF_8))) {
                OutputStream out = Channels.newOutputStream(connection);
                for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                    out.write((answer(List.of(line.split(" ", -1))) + "\n").getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }

    /** Which names went is said in the log. */
    private String lose(String name, Luck luck) {
        Loss.Count loss = server.lose(name, luck);
        System.err.println(name + " dropped " + loss.droppedBytes + " bytes, " + loss.droppedNames);
        return loss.total().encode();
    }

    private String answer(List<String> order) throws IOException {
        String name = order.get(1);
        String answer = "";
        try {
            switch (order.get(0)) {
                case "make" -> server.makeDisk(name);
                case "cut" -> server.cut(order.subList(1, order.size()));
                case "refuse" -> server.refuseWaiting(name);
                case "forget" -> answer = lose(name, Luck.none());
                case "keep" -> answer = lose(name, Luck.of(Long.parseLong(order.get(2))));
                case "lie" -> server.lie(name, Disk.Lie.valueOf(order.get(2)));
                default -> throw new IllegalArgumentException("no order: " + order);
            }
            return "ok " + answer;
        } catch (IllegalArgumentException e) {
            return "failed " + e.getMessage();
        }
    }
}

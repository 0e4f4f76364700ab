package io.steadfs.cli.admin;

import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ShardsState;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints the shards of a file system. */
final class ShownShards {
    private ShownShards() {}

    static void print(ShardsState state, boolean json, PrintWriter out) {
        out.print(json ? Json.line(Map.of("shards", shards(state), "waitsFor", state.waitsFor())) + "\n" : text(state));
        out.flush();
    }

    private static List<Map<String, Object>> shards(ShardsState state) {
        return state.shards().stream()
                .map(shard -> {
                    Map<String, Object> line = new LinkedHashMap<>();
                    line.put("shard", shard.number());
                    line.put("server", shard.host().map(ServerId::toString).orElse(""));
                    line.put("alive", shard.alive());
                    line.put("serving", shard.serving());
                    line.put("movesTo", shard.movesTo().map(ServerId::toString).orElse(""));
                    line.put("stopped", shard.stopped());
                    line.put("moves", shard.moves());
                    return line;
                })
                .toList();
    }

    private static String text(ShardsState state) {
        TextTable table = new TextTable(1, "shard", "server", "");
        state.shards()
                .forEach(shard -> table.row(
                        shard.number(), shard.host().map(ServerId::toString).orElse("none yet"), words(shard)));
        StringBuilder text = new StringBuilder(table.toString());
        state.waitsFor().forEach(why -> text.append("waits: ").append(why).append('\n'));
        return text.toString();
    }

    private static String words(ShardsState.Shard shard) {
        String state = state(shard);
        return shard.host().isEmpty() || shard.alive() ? state : state + ", but its server is not alive";
    }

    private static String state(ShardsState.Shard shard) {
        if (!shard.serving()) {
            return "joins";
        }
        if (shard.movesTo().isPresent()) {
            String moves = "moves to " + shard.movesTo().get();
            return shard.stopped() ? "stopped, " + moves : "serves, " + moves;
        }
        return shard.moves() ? "is being opened" : "serves";
    }
}

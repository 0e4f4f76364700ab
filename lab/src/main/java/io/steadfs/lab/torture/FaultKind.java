package io.steadfs.lab.torture;

/** Faults that the harness can cause in a process, its disk or the network. */
enum FaultKind {
    MDS_KILL("SIGKILL of a metadata server, started again later"),
    IO_KILL("SIGKILL of an IO server, started again later"),
    CLIENT_KILL("SIGKILL of a client; another takes its place"),
    ZOOKEEPER_KILL("SIGKILL of ZooKeeper, started again later"),
    MDS_STOP("SIGSTOP of a metadata server, for less than its ZooKeeper session"),
    MDS_STOP_LONG("SIGSTOP of a metadata server past its ZooKeeper session"),
    IO_STOP("SIGSTOP of an IO server, sometimes past its ZooKeeper session"),
    CLIENT_STOP("SIGSTOP of a client, for less than its session"),
    CLIENT_STOP_LONG("SIGSTOP of a client past its session"),
    ZOOKEEPER_STOP("SIGSTOP of ZooKeeper"),
    MDS_DISK_FULL("the disk of a metadata server fills up"),
    IO_DISK_FULL("the disk of an IO server fills up"),
    NET_DELAY("all messages to and from one server come late"),
    NET_DROP("nothing gets through to one server, and nobody is told"),
    NET_HALF_OPEN("messages to a server get through and answers do not, or the reverse"),
    NET_RESET("all connections of a server are reset"),
    NET_PARTITION("two groups of processes do not hear of each other"),
    ZOOKEEPER_PARTITION("a server is cut off from ZooKeeper past its session");

    private final String meaning;

    FaultKind(String meaning) {
        this.meaning = meaning;
    }

    String meaning() {
        return meaning;
    }

    /** Returns the name that people see, for example {@code mds.kill}. */
    String label() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '.');
    }
}

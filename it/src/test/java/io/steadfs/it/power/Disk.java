package io.steadfs.it.power;

import java.util.concurrent.atomic.AtomicLong;

/** One disk: a directory below the mount point that loses its power by itself. Guarded by the lock of {@link FuseServer}. */
final class Disk {
    /** What a disk says is durable and is not. */
    enum Lie {
        NONE,
        /** Syncs of files do nothing. */
        FILES,
        /** Syncs of directories do nothing. */
        DIRECTORIES
    }

    private Life life;
    Lie lie = Lie.NONE;

    Disk(AtomicLong numbers) {
        this.life = new Life(numbers);
    }

    Life life() {
        return life;
    }

    /** Gets power again, with what is left. */
    Loss.Count lose(Luck luck) {
        Loss.Count loss = new Loss.Count();
        life = life.survivor(luck, loss);
        return loss;
    }
}

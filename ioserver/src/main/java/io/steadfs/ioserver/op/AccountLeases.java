package io.steadfs.ioserver.op;

import io.steadfs.ioserver.lease.HolderAccount;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.ioserver.lease.Validation;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.AccountLeasesReply;
import io.steadfs.wire.proto.AccountLeasesRequest;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * ACCOUNT_LEASES: counts the leased handles of each holder by class. Holders with the most handles that no file has
 * come first.
 */
public final class AccountLeases implements IoOperation {
    /** The highest number of holders in a reply. */
    static final int MOST = 1000;

    private final Leases leases;
    private final LeaseLimits limits;
    private final Supplier<Validation> validation;

    public AccountLeases(Leases leases, LeaseLimits limits, Supplier<Validation> validation) {
        this.leases = leases;
        this.limits = limits;
        this.validation = validation;
    }

    @Override
    public void handle(Call call) {
        AccountLeasesRequest request = (AccountLeasesRequest) call.request().body();
        if (request.getValidate()) {
            validation.get().begin();
        }
        List<HolderAccount> accounts = leases.accounts();
        AccountLeasesReply.Builder reply = AccountLeasesReply.newBuilder()
                .setHolders(accounts.size())
                .setHolderMost(limits.holderMost())
                .addAllWaitsFor(validation.get().waitsFor());
        accounts.stream()
                .sorted(Comparator.comparingLong((HolderAccount each) -> each.pooled() + each.suspect() + each.orphan())
                        .reversed()
                        .thenComparingLong(HolderAccount::holder))
                .limit(MOST)
                .forEach(each -> reply.addAccounts(account(each)));
        AccountLeasesReply.Account.Builder sum = AccountLeasesReply.Account.newBuilder();
        accounts.forEach(each -> sum.setLeases(sum.getLeases() + each.leases())
                .setInUse(sum.getInUse() + each.inUse())
                .setPooled(sum.getPooled() + each.pooled())
                .setSuspect(sum.getSuspect() + each.suspect())
                .setOrphan(sum.getOrphan() + each.orphan()));
        accounts.stream().mapToLong(HolderAccount::oldestMillis).min().ifPresent(sum::setOldestMillis);
        call.reply(Reply.ok(reply.setSum(sum).build()));
    }

    private static AccountLeasesReply.Account account(HolderAccount holder) {
        return AccountLeasesReply.Account.newBuilder()
                .setHolder(holder.holder())
                .setName(holder.name())
                .setLeases(holder.leases())
                .setInUse(holder.inUse())
                .setPooled(holder.pooled())
                .setSuspect(holder.suspect())
                .setOrphan(holder.orphan())
                .setOldestMillis(holder.oldestMillis())
                .build();
    }
}

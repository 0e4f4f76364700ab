package io.steadfs.contract;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractBondedFSContract;

/** What SteadFS promises ({@code contract/stead.xml}), and the cluster that has to keep it. */
final class SteadContract extends AbstractBondedFSContract {
    SteadContract(Configuration conf) {
        super(conf);
        addConfResource("contract/stead.xml");
        conf.set("fs.contract.test.fs.stead", Cluster.uri().toString());
    }

    @Override
    public String getScheme() {
        return "stead";
    }
}

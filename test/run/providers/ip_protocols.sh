#@ what:    ip probes name the protocol inside a packet, and if_ipstack is the network namespace of the program
#@ needs:   root
for family in 4 6; do
    for kind in udp unreachable refused; do
        "$DTRACE" -qn 'uint64_t network;
        syscall::unshare:return /pid == $target/ { network = (uint64_t)curthread->nsproxy->net_ns; }
        ip:::send,ip:::receive /network && args[3]->if_ipstack == network && args[3]->if_name == "lo" && (args[2]->ip_daddr == "127.0.0.1" || args[2]->ip_daddr == "::1")/
        {
            @[args[2]->ip_ver, args[2]->ip_ver == 4 ? args[4]->ipv4_protostr : args[5]->ipv6_nextstr, args[2]->ip_ver == 4 ? args[4]->ipv4_protocol : args[5]->ipv6_nexthdr,
                probename] = count();
        }
        END { printa("%d %s %d %s: %@d\n", @); }' -c "$PROGS/talk $kind $family" | grep . | sort | sed "s/^/$kind /"
    done
done

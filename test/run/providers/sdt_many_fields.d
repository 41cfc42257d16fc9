/*@
 * what:    sdt: fields behind the tenth are arguments too: offsets of the headers of IP (behind 14 bytes of Ethernet) and UDP (behind 20 more) in what is sent
 * needs:   root
 * run:     -q -c '%progs%/talk udp 4'
 * expect:  exact
 */
sdt:net::net_dev_start_xmit /pid == $target/ { @[args[10], args[11], args[12]] = count(); }
END { printa("%d %d %d %@d\n", @); }

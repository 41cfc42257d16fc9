/*@
 * what:    an sdt event with more than ten fields has all of them as arguments
 * needs:   root
 * run:     -q -c '%progs%/talk udp 4'
 * expect:  exact
 */
sdt:net::net_dev_start_xmit /pid == $target/ { @[args[10], args[11], args[12]] = count(); }
END { printa("%d %d %d %@d\n", @); }

/*@
 * what:    sdt fields beyond the tenth are available as arguments, here network header offsets
 * needs:   root
 * run:     -q -c '%progs%/talk udp 4'
 * expect:  exact
 */
sdt:net::net_dev_start_xmit /pid == $target/ { @[args[10], args[11], args[12]] = count(); }
END { printa("%d %d %d %@d\n", @); }

/*@
 * what:    the C++ library's own USDT probes fire for thrown, caught and rethrown exceptions
 * needs:   uprobe
 * run:     -qs %file% -c '%progs%/throws 7'
 * expect:  exact
 */
libstdcxx$target:::throw, libstdcxx$target:::catch, libstdcxx$target:::rethrow { @[probename] = count(); }
END { printa("%s %@d\n", @); }

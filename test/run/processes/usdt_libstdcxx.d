/*@
 * what:    the USDT probes in the C++ library fire for thrown, caught and rethrown exceptions
 * needs:   uprobe
 * run:     -qs %file% -c '%progs%/throws 7'
 * expect:  exact
 */
libstdcxx$target:::throw, libstdcxx$target:::catch, libstdcxx$target:::rethrow { @[probename] = count(); }
END { printa("%s %@d\n", @); }

/*@
 * what:    the notes that the C++ library carries: exceptions thrown, caught and thrown again
 * needs:   uprobe
 * run:     -qs %file% -c '%progs%/throws 7'
 * expect:  exact
 */
libstdcxx$target:::throw, libstdcxx$target:::catch, libstdcxx$target:::rethrow { @[probename] = count(); }
END { printa("%s %@d\n", @); }

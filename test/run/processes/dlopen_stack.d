/*@
 * what:    frames in a library loaded during the trace print with names
 * run:     -Zqs %file% -c '%progs%/opener %progs%/libcalled.so again'
 * expect:  regex
 */
pid$target:libcalled*:called:entry /++n > 10/ { @[ustack(2)] = count(); } // at the first hits, the process may still be unknown
pid$target:libcalled*:called:entry /n > 40/ { exit(0); }

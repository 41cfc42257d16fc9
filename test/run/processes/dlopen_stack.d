/*@
 * what:    stack frames in a library that was loaded during the trace are printed with names
 * run:     -Zqs %file% -c '%progs%/opener %progs%/libcalled.so again'
 * expect:  regex
 */
pid$target:libcalled*:called:entry /++n > 10/ { @[ustack(2)] = count(); } // at the first hits, the process may still be unknown
pid$target:libcalled*:called:entry /n > 40/ { exit(0); }

/*@
 * what:    stack frames of a later loaded library have names, even if the clause had no probe before
 * run:     -Zqs %file% -c '%progs%/opener %progs%/libcalled.so again'
 * expect:  regex
 */
pid$target:libcalled*:called:entry /++n > 10/ { @[ustack(2)] = count(); } // at the first hits, the process may still be unknown
pid$target:libcalled*:called:entry /n > 40/ { exit(0); }

/*@
 * what:    stack frames of a later loaded library have names, even if the clause had no probe before
 * run:     -Zqs %file% -c '%progs%/opener %progs%/libcalled.so again'
 * expect:  regex
 */
pid$target:libcalled*:called:entry /++n > 10/ { @[ustack(2)] = count(); } // before, the process may not be known
pid$target:libcalled*:called:entry /n > 40/ { exit(0); }

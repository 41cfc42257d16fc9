/*@
 * what:    in an fsinfo probe that fires at the returns of several kernel functions, stack() begins with the function that has returned
 * needs:   kprobe
 * expect:  regex
 * run:     -q -s %file% -c '%progs%/writes 1 10'
 */
fsinfo:::write /pid == $target/ { stack(1); exit(0); }

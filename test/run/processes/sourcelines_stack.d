/*@
 * what:    with -x sourcelines, user frames show source lines and one frame for each inlined function
 * run:     -qs %file% -x sourcelines -c '%progs%/inlined'
 * expect:  regex
 */
pid$target:a.out:leaf:entry { ustack(); }

/*@
 * what:    with -x srclines, user frames show source lines and one frame for each inlined function
 * run:     -qs %file% -x srclines -c '%progs%/inlined'
 * expect:  regex
 */
pid$target:a.out:leaf:entry { ustack(); }

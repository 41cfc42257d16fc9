/*@
 * what:    cpc: with a count of 50 every fiftieth event of a CPU fires: of 1000 page faults about 20, as other programs have page faults too
 * needs:   profile
 * run:     -q -c '%progs%/touch_pages 1000'
 * expect:  exact
 */
int touching, fired;
syscall::getppid:entry /pid == $target/ { touching = !touching; }
cpc:::page_faults-user-50 /pid == $target && touching/ { fired++; }
END { printf("%d\n", fired >= 18 && fired <= 22); exit(0); }

/*@
 * what:    with -Z, printa() prints nothing for aggregations whose clauses match no probe
 * run:     -q -Z -s %file% -c true
 */
nosuch*:::x { @ = count(); @keyed[pid] = sum(1); }
END { printa("%@d\n", @); printa("%d %@d\n", @keyed); printf("end\n"); }

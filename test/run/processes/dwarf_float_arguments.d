/*@
 * what:    floating-point members and floating-point arguments on the stack print with %f formats
 * run:     -qs %file% -c %progs%/floats
 * expect:  exact
 */
pid$target:a.out:shown:entry { printf("%.2f %.1e %.1Lf %f\n", args[0]->small, args[0]->large, args[0]->longest, args[0]->row[2]); }
pid$target:a.out:nine:entry { printf("%f %f\n", args[8], args[9]); }
pid$target:a.out:longest:entry { printf("%d %d\n", args[0], args[2]); }

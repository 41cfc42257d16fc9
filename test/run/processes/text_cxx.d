/*@
 * what:    C++ values of types std::string and std::string_view are strings in D
 * run:     -qs %file% -c '%progs%/typed_cxx'
 * expect:  exact
 */
pid$target:a.out:shop??both*:entry { printf("%s, %s, %d\n", args[0], args[1], args[1] == "a text that is longer than fifteen bytes"); }
pid$target:a.out:shop??length*:entry { printf("%s %d\n", args[0], args[1]); }

/*@
 * what:    commit() of an id above option nspec raises the fault "illegal operation"
 * stderr:  exact
 */
BEGIN { commit(5); }
BEGIN { exit(0); }

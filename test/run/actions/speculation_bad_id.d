/*@
 * what:    commit() of an id beyond nspec raises an illegal operation
 * stderr:  exact
 */
BEGIN { commit(5); }
BEGIN { exit(0); }

/*@
 * what:    commit() of an id beyond nspec is an illegal operation
 * stderr:  exact
 */
BEGIN { commit(5); }
BEGIN { exit(0); }

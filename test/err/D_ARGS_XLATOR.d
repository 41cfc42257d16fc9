/* @tag: D_ARGS_XLATOR
 * @says: translator for args[0] from struct file * to struct itemview is not defined
 * @line: 5
 * translator from native to declared argument type missing */
demo:::untranslated { trace(args[0]); }

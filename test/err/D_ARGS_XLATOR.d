/* @tag: D_ARGS_XLATOR
 * @says: translator for args[0] from struct file * to struct itemview is not defined
 * @line: 5
 * a missing translator from native to declared argument type is an error */
demo:::untranslated { trace(args[0]); }

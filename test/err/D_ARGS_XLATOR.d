/* @tag: D_ARGS_XLATOR
 * @says: translator for args[0] from struct file * to struct itemview is not defined
 * @line: 5
 * using a probe argument without a translator from its native to its declared type is an error */
demo:::untranslated { trace(args[0]); }

/* @tag: D_PROTO_ARG
 * @says: getenv( ) argument #1 must be the name of a variable: 1 to 63 characters without =
 * @line: 5
 * getenv() of a name that no environment variable can have is an error */
BEGIN { trace(getenv("PATH=/bin")); }

/* @tag: D_PROTO_ARG
 * @message: exit\( \) argument #1 is incompatible with prototype:
 * argument/key of wrong type */
BEGIN { exit("x"); }

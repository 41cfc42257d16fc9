/* @tag: D_PROTO_ARG
 * a format that is no string */
BEGIN { printf(7); }

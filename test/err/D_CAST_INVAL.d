/* @tag: D_CAST_INVAL
 * impossible cast */
struct p { int x; }; BEGIN { trace((struct p)3); }

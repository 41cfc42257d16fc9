/* @tag: D_OFFSETOF_TYPE
 * type not struct/union */
BEGIN { trace(offsetof(int, a)); }

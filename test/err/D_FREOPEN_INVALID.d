/* @tag: D_FREOPEN_INVALID
 * file name "." */
BEGIN { freopen("."); }

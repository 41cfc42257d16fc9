/* @tag: D_LLQUANT_STEPVAL
 * @says: llquantize() argument #4 (steps) must evenly divide argument #1 (factor) when steps<factor
 * @line: 5
 * a step count of llquantize() above 65535, or one that does not divide each magnitude evenly, is an error */
BEGIN { @ = llquantize(1, 10, 0, 6, 3); }

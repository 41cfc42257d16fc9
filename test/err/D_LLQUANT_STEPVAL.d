/* @tag: D_LLQUANT_STEPVAL
 * @says: llquantize() argument #4 (steps) must evenly divide argument #1 (factor) when steps<factor
 * @line: 5
 * steps > 65535; steps < factor and not dividing it; steps > factor and not a multiple of it, or not dividing factor^2 (lmag 0) / factor^(lmag+1) (lmag > 0) */
BEGIN { @ = llquantize(1, 10, 0, 6, 3); }

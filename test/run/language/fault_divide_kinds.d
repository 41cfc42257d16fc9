/*@
 * what:    /, %, /= and %= of signed and unsigned integers raise a fault if the divisor is 0
 */
BEGIN { z = 0; u = 0u; l = 0ll; }
BEGIN { trace(1 % z); }
BEGIN { trace(1u / u); }
BEGIN { trace(1u % u); }
BEGIN { trace(1ll / l); }
BEGIN { trace(1ull % l); }
BEGIN { x = 5; x /= z; }
BEGIN { x %= z; }
BEGIN { printf("%d\n", x); exit(0); }

/*@
 * what:    request() accepts numbers, pointers and strings as keys; for unknown or finished requests it returns 0, and breakdown() raises a fault
 * expect:  exact
 * stderr:  exact
 */
BEGIN { request_begin("one"); printf("%d", request(strjoin("o", "ne")) == timestamp); }
BEGIN { printf("%d", request("one") != 0); request_begin(1); printf("%d", request(1) != 0 && request("one") != 0); }
BEGIN { this->one = 1; printf("%d", request(1) == request((char)1) && request(curthread) == 0 && request(this->one) != 0); }
BEGIN { request_end(1); request_end(1); request_end("none"); @other = breakdown(request("one")); printf("%d", request(1) != 0); }
BEGIN { self->first = request(1); request_done(1); printf("%d", request(1) == 0); }
BEGIN { request_begin(1); printf("%d\n", request(1) > self->first); }
BEGIN { @none = breakdown(request(2)); printf("not reached\n"); }
BEGIN { request_done(1); @done = breakdown(request(1)); printf("not reached\n"); }
BEGIN { trunc(@other); trunc(@none); trunc(@done); exit(0); }

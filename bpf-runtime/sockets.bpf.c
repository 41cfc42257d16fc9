/* Reads members of sockets on locked-down kernels, whose verifier knows only the first part of a socket, struct sock.
 */
#include "bpf-runtime/runtime.h"

static void *(*const bpf_skc_to_tcp_sock)(void *socket) = (void *)137;

/* Returns the member of struct tcp_sock with `bytes` bytes at `offset`, both constants. Returns 0 if the socket is
 * no full TCP socket. */
DT_HIDDEN dt_u64 dt_tcp_member(dt_u64 socket, dt_u64 offset, dt_u64 bytes)
{
	const volatile dt_u8 *tcp = (const volatile dt_u8 *)bpf_skc_to_tcp_sock((void *)socket);

	if (!tcp)
		return 0;
	tcp += offset;
	if (bytes == 8)
		return DT_ADDRESS(*(const volatile dt_u64 *)tcp);
	if (bytes == 4)
		return *(const volatile dt_u32 *)tcp;
	if (bytes == 2)
		return *(const volatile dt_u16 *)tcp;
	return *tcp;
}

// packet TEXT: leaves a packet with that text queued on descriptor 3 (one end of a pair of local sockets), then calls getppid(2).
#include "progs.h"

#include <sys/socket.h>
#include <sys/syscall.h>

int main(int argc, char **argv)
{
    int pair[2];
    if (argc != 2)
        return usage("packet TEXT");
    close(3);
    close(4);
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0 || pair[0] != 3)
        return 1;
    if (write(pair[1], argv[1], strlen(argv[1])) < 0)
        return 1;
    syscall(SYS_getppid);
    return 0;
}

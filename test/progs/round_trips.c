// round_trips N: sends N requests to a server on the loopback device, between close(-1) and close(-2), and waits for each answer. The server is another process
// and answers at once, so a round trip consists of network time. Prints the kernel's count of the client's time.
#include "moment.h"
#include "progs.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int listens = socket(AF_INET, SOCK_STREAM, 0), asks = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    char c = 'x';
    if (argc != 2)
        return usage("round_trips N");
    const long times = number(argv[1]);
    if (bind(listens, (struct sockaddr *)&address, size) || listen(listens, 1) || getsockname(listens, (struct sockaddr *)&address, &size))
        return 1;
    if (fork() == 0) {
        const int answers = accept(listens, NULL, NULL);
        setsockopt(answers, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        while (read(answers, &c, 1) == 1 && write(answers, &c, 1) == 1)
            ;
        _exit(0);
    }
    if (connect(asks, (struct sockaddr *)&address, size))
        return 1;
    setsockopt(asks, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    close(-1);
    const struct moment from = moment();
    for (long i = 0; i < times; ++i)
        if (write(asks, &c, 1) != 1 || read(asks, &c, 1) != 1)
            return 1;
    const struct moment took = since(from);
    close(-2);
    say_truth("network", took);
    return 0;
}

// talk KIND FAMILIES: talks to itself over the loopback device of a private network namespace, once for each of the families 4, 6
// and m (IPv6 sockets with IPv4 addresses). Numbers are ports.
//   tcp      7002 connects to 7001, sends 100 bytes, receives 300 and closes; then 7001 closes
//   info     the same; before it closes, 7002 prints its socket's TCP_INFO: smoothed round trip and deviation in ms, retransmission timeout in
//            ms, largest segment, window scales (sent, received), congestion window and threshold, window of the other side
//   bulk     7002 connects to 7001 and sends 3,000,000 bytes in one call
//   refused  7002 tries to connect to 7003, where no socket listens
//   reset    7002 connects to 7001 and resets the connection
//   lossy    7002 connects to 7001 and sends one byte while the device is briefly down
//   fragments  7002 sends 7001 a datagram of 3000 bytes over a device that takes 1500 at most, with 61 hops to live
//   unreachable  7002 sends a datagram of one byte to 7003, where no socket listens, and gets the error
//   udp      7002 sends 7001 three datagrams, of 10, 200 and 3000 bytes, which have 61 hops to live, type of service (traffic class) 0x28, flow label 0
#include "progs.h"

#include <arpa/inet.h>
#include <linux/tcp.h>
#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

static int family, mapped;

static void check(int ok, const char *what)
{
    if (!ok) {
        perror(what);
        exit(1);
    }
}

static void ask_device(unsigned long what, struct ifreq request)
{
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    check(ioctl(fd, what, &request) == 0, "ioctl of lo");
    close(fd);
}

static void device(int up)
{
    ask_device(SIOCSIFFLAGS, (struct ifreq){.ifr_name = "lo", .ifr_flags = up ? IFF_UP : 0});
}

static socklen_t address(struct sockaddr_storage *room, int port)
{
    memset(room, 0, sizeof *room);
    room->ss_family = family;
    if (family == AF_INET) {
        struct sockaddr_in *v4 = (struct sockaddr_in *)room;
        v4->sin_port = htons(port);
        v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return sizeof *v4;
    }
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)room;
    v6->sin6_port = htons(port);
    check(inet_pton(AF_INET6, mapped ? "::ffff:127.0.0.1" : "::1", &v6->sin6_addr) == 1, "inet_pton");
    return sizeof *v6;
}

static int bound(int type, int port)
{
    struct sockaddr_storage here;
    const int on = 1, fd = socket(family, type, 0);
    check(fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0, "socket");
    check(bind(fd, (struct sockaddr *)&here, address(&here, port)) == 0, "bind");
    return fd;
}

static int connected(int port)
{
    struct sockaddr_storage there;
    const int fd = bound(SOCK_STREAM, 7002);
    const int failed = connect(fd, (struct sockaddr *)&there, address(&there, port));
    check(failed == 0 || (port == 7003 && errno == ECONNREFUSED), "connect");
    return fd;
}

static void say(int from, int to, size_t size)
{
    static char bytes[4096];
    check(write(from, bytes, size) == (ssize_t)size, "write");
    check(recv(to, bytes, size, MSG_WAITALL) == (ssize_t)size, "recv");
}

static void print_info(int fd)
{
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    check(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0, "TCP_INFO");
    printf("%u %u %u %u %u %u %u %u %u\n", info.tcpi_rtt / 1000, info.tcpi_rttvar / 1000, info.tcpi_rto / 1000, info.tcpi_snd_mss, info.tcpi_snd_wscale,
           info.tcpi_rcv_wscale, info.tcpi_snd_cwnd, info.tcpi_snd_ssthresh, info.tcpi_snd_wnd);
    fflush(stdout);
}

static void tcp(const char *kind)
{
    const int listener = bound(SOCK_STREAM, 7001);
    check(listen(listener, 1) == 0, "listen");
    const int client = connected(7001), server = accept(listener, NULL, NULL);
    char byte;
    check(server >= 0, "accept");
    if (strcmp(kind, "reset") == 0) {
        const struct linger now = {.l_onoff = 1};
        setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    } else if (strcmp(kind, "lossy") == 0) {
        device(0);
        check(write(client, &byte, 1) == 1, "write");
        device(1);
        check(recv(server, &byte, 1, 0) == 1, "recv");
    } else {
        say(client, server, 100);
        say(server, client, 300);
        if (strcmp(kind, "info") == 0)
            print_info(client);
    }
    close(client);
    check(read(server, &byte, 1) <= 0, "read");
    close(server);
    close(listener);
}

static void bulk(void)
{
    static char bytes[3000000];
    const int listener = bound(SOCK_STREAM, 7001);
    check(listen(listener, 1) == 0, "listen");
    const int client = connected(7001), server = accept(listener, NULL, NULL);
    check(server >= 0, "accept");
    const pid_t reader = fork();
    check(reader >= 0, "fork");
    if (reader == 0) {
        close(client);
        while (read(server, bytes, sizeof bytes) > 0)
            ;
        _exit(0);
    }
    check(write(client, bytes, sizeof bytes) == sizeof bytes, "write");
    close(client);
    check(waitpid(reader, NULL, 0) == reader, "waitpid");
    close(server);
    close(listener);
}

static void unreachable(void)
{
    struct sockaddr_storage there;
    const int client = bound(SOCK_DGRAM, 7002);
    char byte = 0;
    check(connect(client, (struct sockaddr *)&there, address(&there, 7003)) == 0, "connect");
    check(write(client, &byte, 1) == 1, "write");
    check(read(client, &byte, 1) < 0 && errno == ECONNREFUSED, "read");
    close(client);
}

static void udp(const char *kind)
{
    struct sockaddr_storage there;
    const int server = bound(SOCK_DGRAM, 7001), client = bound(SOCK_DGRAM, 7002);
    const int hops = 61, service = 0x28, off = 0;
    if (family == AF_INET) {
        check(setsockopt(client, IPPROTO_IP, IP_TTL, &hops, sizeof hops) == 0, "IP_TTL");
        check(setsockopt(client, IPPROTO_IP, IP_TOS, &service, sizeof service) == 0, "IP_TOS");
    } else {
        check(setsockopt(client, IPPROTO_IPV6, IPV6_UNICAST_HOPS, &hops, sizeof hops) == 0, "IPV6_UNICAST_HOPS");
        check(setsockopt(client, IPPROTO_IPV6, IPV6_TCLASS, &service, sizeof service) == 0, "IPV6_TCLASS");
        check(setsockopt(client, IPPROTO_IPV6, IPV6_AUTOFLOWLABEL, &off, sizeof off) == 0, "IPV6_AUTOFLOWLABEL");
    }
    check(connect(client, (struct sockaddr *)&there, address(&there, 7001)) == 0, "connect");
    if (strcmp(kind, "fragments") == 0) {
        ask_device(SIOCSIFMTU, (struct ifreq){.ifr_name = "lo", .ifr_mtu = 1500});
    } else {
        say(client, server, 10);
        say(client, server, 200);
    }
    say(client, server, 3000);
    close(client);
    close(server);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return usage("talk tcp|info|bulk|refused|reset|lossy|udp|fragments|unreachable FAMILIES");
    check(unshare(CLONE_NEWNET) == 0, "unshare");
    device(1);
    for (const char *each = argv[2]; *each; each++) {
        family = *each == '4' ? AF_INET : AF_INET6;
        mapped = *each == 'm';
        if (strcmp(argv[1], "udp") == 0 || strcmp(argv[1], "fragments") == 0)
            udp(argv[1]);
        else if (strcmp(argv[1], "unreachable") == 0)
            unreachable();
        else if (strcmp(argv[1], "bulk") == 0)
            bulk();
        else if (strcmp(argv[1], "refused") == 0)
            close(connected(7003));
        else
            tcp(argv[1]);
    }
    return 0;
}

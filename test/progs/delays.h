// Reads the kernel's delay accounting of the current thread, by taskstats over netlink (Documentation/accounting/delay-accounting.rst). Without
// kernel.task_delayacct=1, or without rights, all values are 0.
#ifndef TEST_PROGS_DELAYS_H
#define TEST_PROGS_DELAYS_H

#include "progs.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <sys/socket.h>

struct delays {
    long disk, swap, reclaim, thrash, queue; // delays in ns
};

enum { kAnswer = 4096 };

struct question {
    struct nlmsghdr head;
    struct genlmsghdr command;
    struct nlattr attribute;
    char value[16];
};

// Finds an attribute in a sequence of attributes and returns its data, or NULL if it is missing.
static const char *attribute_of(const char *at, long bytes, int type)
{
    while (bytes >= (long)sizeof(struct nlattr)) {
        const struct nlattr *one = (const struct nlattr *)(const void *)at;
        if (one->nla_len < NLA_HDRLEN)
            break;
        if ((one->nla_type & NLA_TYPE_MASK) == type)
            return at + NLA_HDRLEN;
        at += NLA_ALIGN(one->nla_len);
        bytes -= NLA_ALIGN(one->nla_len);
    }
    return NULL;
}

// Sends a request and returns an attribute of the answer. Sets *left to the number of bytes from the attribute to the
// end of the answer.
static const char *ask(int netlink, int family, int command, int type, const void *value, int bytes, int wanted, char *answer, long *left)
{
    struct question question = {.head = {.nlmsg_type = (unsigned short)family, .nlmsg_flags = NLM_F_REQUEST, .nlmsg_seq = 1},
                                .command = {.cmd = (unsigned char)command, .version = 1},
                                .attribute = {.nla_type = (unsigned short)type, .nla_len = (unsigned short)(NLA_HDRLEN + bytes)}};
    const long head = NLMSG_HDRLEN + GENL_HDRLEN;
    memcpy(question.value, value, (size_t)bytes);
    question.head.nlmsg_len = (unsigned)(head + NLA_HDRLEN + NLA_ALIGN(bytes));
    if (send(netlink, &question, question.head.nlmsg_len, 0) < 0)
        return NULL;
    const long got = recv(netlink, answer, kAnswer, 0);
    if (got <= head || ((struct nlmsghdr *)(void *)answer)->nlmsg_type == NLMSG_ERROR)
        return NULL;
    const char *found = attribute_of(answer + head, got - head, wanted);
    *left = found ? answer + got - found : 0;
    return found;
}

static struct delays delays(void)
{
    struct delays result = {0, 0, 0, 0, 0};
    struct sockaddr_nl own = {.nl_family = AF_NETLINK};
    _Alignas(8) char answer[kAnswer];
    long left;
    const unsigned tid = (unsigned)syscall(SYS_gettid);
    const int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
    if (netlink < 0)
        return result;
    if (bind(netlink, (struct sockaddr *)&own, sizeof own) == 0) {
        const char *found = ask(netlink, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, TASKSTATS_GENL_NAME, sizeof TASKSTATS_GENL_NAME,
                                CTRL_ATTR_FAMILY_ID, answer, &left);
        if (found) {
            unsigned short family;
            memcpy(&family, found, sizeof family);
            found = ask(netlink, family, TASKSTATS_CMD_GET, TASKSTATS_CMD_ATTR_PID, &tid, sizeof tid, TASKSTATS_TYPE_AGGR_PID, answer, &left);
            found = found ? attribute_of(found, left, TASKSTATS_TYPE_STATS) : NULL;
        }
        if (found) {
            struct taskstats stats;
            memset(&stats, 0, sizeof stats);
            left = answer + kAnswer - found;
            memcpy(&stats, found, left < (long)sizeof stats ? (size_t)left : sizeof stats); // older kernels send less
            result = (struct delays){(long)stats.blkio_delay_total, (long)stats.swapin_delay_total, (long)stats.freepages_delay_total,
                                     (long)stats.thrashing_delay_total, (long)stats.cpu_delay_total};
        }
    }
    close(netlink);
    return result;
}

static void say_delays(const char *what, struct delays from)
{
    const struct delays to = delays();
    printf("%s delays %ld %ld %ld %ld %ld\n", what, to.disk - from.disk, to.swap - from.swap, to.reclaim - from.reclaim, to.thrash - from.thrash,
           to.queue - from.queue);
}

#endif

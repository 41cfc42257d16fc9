/* Events of the filter experiments for C, C++ and BPF. They have the byte layout that a user-space tracer would record.
   */
#ifndef DT_BENCH_FILTERS_EVENT_H
#define DT_BENCH_FILTERS_EVENT_H

#define DT_NAME_LENGTH 16
#define DT_CHAIN_WORDS 6

/* A system call with its arguments. */
struct chain_event {
    long long word[DT_CHAIN_WORDS];
};

/* A received packet. The protocol is in network order, as in the packet. */
struct packet_event {
    char device[DT_NAME_LENGTH];
    unsigned int length;
    unsigned short protocol;
    unsigned short pad;
};

/* A thread leaves its CPU. */
struct switch_event {
    char command[DT_NAME_LENGTH];
    unsigned int state;
    unsigned int pad;
};

/* Constants of the filters. A filter "chain" is an AND of predicates, each of which compares one word of the event: the
 * first six with a lower bound, the next six with an excluded value, and the last four with an upper bound. No compiler
 * can merge two of these comparisons. */
#define DT_CHAIN_ABOVE 1000
#define DT_CHAIN_NOT 2000003
#define DT_CHAIN_BELOW 900000000
#define DT_PACKET_PROTOCOL 8 /* ETH_P_IP in network order, as a little-endian machine reads it */
#define DT_PACKET_LENGTH 100
#define DT_SWITCH_STATE 1 /* interruptible sleep */

#endif

/* Hand-written filters that read an event from memory. compiled.c compiles them for this processor, flat.bpf.c for the
 * BPF virtual machine. */
#ifndef DT_BENCH_FILTERS_FLAT_H
#define DT_BENCH_FILTERS_FLAT_H

#include "test/bench/filters/event.h"

struct chain_source {
    struct chain_event event;
};

static inline __attribute__((always_inline)) long long chain_word(const struct chain_source* source, int word)
{
    return source->event.word[word];
}

#include "test/bench/filters/predicates.h"

/* Returns the first four bytes of a name as a number, because BPF compilers do not merge comparisons of bytes. */
static inline __attribute__((always_inline)) unsigned int beginning(const char* name)
{
    unsigned int word;

    __builtin_memcpy(&word, __builtin_assume_aligned(name, sizeof(word)), sizeof(word));
    return word;
}

static inline __attribute__((always_inline)) int packet(const struct packet_event* event)
{
    return (beginning(event->device) & 0xffffff) == 0x6f6c /* "lo" and its NUL */ &&
           event->protocol == DT_PACKET_PROTOCOL && event->length > DT_PACKET_LENGTH;
}

static inline __attribute__((always_inline)) int task_switch(const struct switch_event* event)
{
    return beginning(event->command) == 0x746c6966 /* "filt" */ && event->state == DT_SWITCH_STATE;
}

#endif

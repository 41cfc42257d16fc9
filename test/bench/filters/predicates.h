/* Hand-written chains of predicates (joined by AND), for words from any source. The including file defines `struct
 * chain_source` and the function chain_word(), which reads one word of it. A word is read only when its predicate is
 * evaluated, as careful code would do. */
#ifndef DT_BENCH_FILTERS_PREDICATES_H
#define DT_BENCH_FILTERS_PREDICATES_H

#include "test/bench/filters/event.h"

static inline __attribute__((always_inline)) int above(const struct chain_source* source, int word)
{
    return chain_word(source, word) > DT_CHAIN_ABOVE + word;
}

static inline __attribute__((always_inline)) int is_not(const struct chain_source* source, int word)
{
    return chain_word(source, word) != DT_CHAIN_NOT + word;
}

static inline __attribute__((always_inline)) int below(const struct chain_source* source, int word)
{
    return chain_word(source, word) < DT_CHAIN_BELOW + word;
}

static inline __attribute__((always_inline)) int chain_1(const struct chain_source* source)
{
    return above(source, 0);
}

static inline __attribute__((always_inline)) int chain_2(const struct chain_source* source)
{
    return chain_1(source) && above(source, 1);
}

static inline __attribute__((always_inline)) int chain_4(const struct chain_source* source)
{
    return chain_2(source) && above(source, 2) && above(source, 3);
}

static inline __attribute__((always_inline)) int chain_8(const struct chain_source* source)
{
    return chain_4(source) && above(source, 4) && above(source, 5) && is_not(source, 0) && is_not(source, 1);
}

static inline __attribute__((always_inline)) int chain_16(const struct chain_source* source)
{
    return chain_8(source) && is_not(source, 2) && is_not(source, 3) && is_not(source, 4) && is_not(source, 5) &&
           below(source, 0) && below(source, 1) && below(source, 2) && below(source, 3);
}

#endif

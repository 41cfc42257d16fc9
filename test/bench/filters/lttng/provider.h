/* LTTng's tracepoints with the fields of the filter experiments' events. LTTng's macros include this file several
   times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER dt_filters
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "test/bench/filters/lttng/provider.h"

#if !defined(DT_BENCH_FILTERS_LTTNG_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define DT_BENCH_FILTERS_LTTNG_PROVIDER_H

#include <lttng/tracepoint.h>

#include "test/bench/filters/event.h"

LTTNG_UST_TRACEPOINT_EVENT(
    dt_filters, chain, LTTNG_UST_TP_ARGS(const struct chain_event*, event),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(long long, arg0, event->word[0])
                        lttng_ust_field_integer(long long, arg1, event->word[1])
                        lttng_ust_field_integer(long long, arg2, event->word[2])
                        lttng_ust_field_integer(long long, arg3, event->word[3])
                        lttng_ust_field_integer(long long, arg4, event->word[4])
                        lttng_ust_field_integer(long long, arg5, event->word[5])))

LTTNG_UST_TRACEPOINT_EVENT(
    dt_filters, packet, LTTNG_UST_TP_ARGS(const struct packet_event*, event),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_array_text(char, device, event->device, DT_NAME_LENGTH)
                        lttng_ust_field_integer(unsigned int, length, event->length)
                        lttng_ust_field_integer(unsigned short, protocol, event->protocol)))

LTTNG_UST_TRACEPOINT_EVENT(
    dt_filters, task_switch, LTTNG_UST_TP_ARGS(const struct switch_event*, event),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_array_text(char, command, event->command, DT_NAME_LENGTH)
                        lttng_ust_field_integer(unsigned int, state, event->state)))

#endif

#include <lttng/tracepoint-event.h>

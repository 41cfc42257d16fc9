/* Defines LTTng's tracepoints and the functions that fire them, for the traced program. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "test/bench/filters/lttng/provider.h"

#include "test/bench/filters/lttng/fire.h"

void dt_fire_chain(const void* events, size_t count)
{
    const struct chain_event* event = events;

    for (const struct chain_event* end = event + count; event < end; event++)
        lttng_ust_tracepoint(dt_filters, chain, event);
}

void dt_fire_packet(const void* events, size_t count)
{
    const struct packet_event* event = events;

    for (const struct packet_event* end = event + count; event < end; event++)
        lttng_ust_tracepoint(dt_filters, packet, event);
}

void dt_fire_switch(const void* events, size_t count)
{
    const struct switch_event* event = events;

    for (const struct switch_event* end = event + count; event < end; event++)
        lttng_ust_tracepoint(dt_filters, task_switch, event);
}

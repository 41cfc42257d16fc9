// Runs a trace, from dtrace_go() to the last record. Each call of dtrace_work() or dtrace_consume() is one pass.
#include <poll.h>

#include <algorithm>
#include <chrono>

#include "api/handle.hpp"
#include "base/time.hpp"
#include "libdtrace/consumer/consumer.hpp"

namespace {

using State = dtrace_hdl::State;
using std::chrono::milliseconds;

/// Loads and activates all enabled programs. After an error no part of the trace remains.
dt::Result<void> begin(dtrace_hdl_t* handle)
{
    unsigned flags = 0;
    for (const dtrace_prog* const program : handle->enabled)
        flags |= program->flags;
    handle->trace = std::make_unique<dt::Trace>(*handle->session, dt::api::options_of(*handle, flags));
    dt::Trace& trace = *handle->trace;
    const auto wrong = [&](dt::Result<void> result) {
        const auto& list = trace.compiler().diagnostics().list();
        return result || list.empty() ? result : dt::Result<void>(dt::Error{list.front().message, 0});
    };
    for (const dtrace_prog* const program : handle->enabled)
        if (!dt::api::add(trace, *handle, *program))
            return wrong(dt::Error{"a program cannot be compiled", 0});
    trace.show_in(
        [handle](const dt::output::SinkOptions& with) { return dt::api::make_callback_sink(handle->callbacks, with); });
    dt::Result<void> begun = wrong(trace.compile());
    if (begun)
        begun = trace.load();
    if (begun)
        begun = trace.attach(handle->output);
    return begun ? trace.activate() : begun;
}

/// Reports to the program's handler the processes whose end has not been reported yet.
void report_end(dtrace_hdl_t* handle)
{
    if (!handle->callbacks.on_process || handle->processes.empty())
        return;
    dt::Processes& processes = handle->session->processes();
    processes.all_gone();
    const std::vector<pid_t> there = processes.pids();
    for (ps_prochandle& process : handle->processes) {
        if (process.is_reported || std::find(there.begin(), there.end(), process.pid) != there.end())
            continue;
        process.is_reported = true;
        handle->callbacks.ended(process);
    }
}

/// Takes a snapshot of the aggregations if the last one is older than option aggrate. Without the option the limit is
/// one second.
int snap_if_due(dtrace_hdl_t* handle)
{
    constexpr uint64_t kUsualRate = 1'000'000'000;
    const uint64_t rate = handle->trace->options().run().aggrate;
    const auto now = dt::now_monotonic();
    if (handle->snapshot_time != 0 && now - handle->snapshot_time < (rate != 0 ? rate : kUsualRate))
        return 0;
    handle->snapshot_time = now;
    return dtrace_aggregate_snap(handle);
}

/// Reads the remaining records and runs END.
int end(dtrace_hdl_t* handle)
{
    dt::Result<void> detached = handle->trace->detach();
    if (detached) {
        dtrace_aggregate_snap(handle);
        if (!dt::api::print_aggregations(*handle, handle->last_aggregations))
            // discards incomplete output, because the caller would mistake it for the complete aggregations
            handle->last_aggregations.pieces.clear();
    }
    handle->state = State::Ended;
    const dt::Result<int> finished = handle->trace->finish();
    handle->output.text().clear();
    return !detached   ? handle->fail(detached.error(), EDT_TRACE)
           : !finished ? handle->fail(finished.error(), EDT_TRACE)
                       : 0;
}

} // namespace

extern "C" {

int dtrace_go(dtrace_hdl_t* handle)
{
    return dt::api::guarded(handle, -1, [&] {
        if (handle->state != State::Idle)
            return handle->fail(EDT_ACTIVE, {});
        if (handle->enabled.empty() || handle->is_offline)
            return handle->fail(EDT_NOPROG, handle->is_offline
                                                ? "tracing is not possible: the handle was opened with DTRACE_O_NODEV"
                                                : "");
        if (const dt::Result<void> begun = begin(handle); !begun) {
            const int failed = handle->fail(begun.error(), EDT_ENABLE);
            handle->trace.reset();
            return failed;
        }
        handle->state = State::Active;
        return 0;
    });
}

int dtrace_stop(dtrace_hdl_t* handle)
{
    return dt::api::guarded(handle, -1, [&] {
        if (handle->state != State::Active)
            return 0;
        handle->trace->switch_off();
        // no records are read here: dtrace_work() and dtrace_consume() read them, because they receive the callbacks
        handle->state = State::Stopping;
        return dtrace_aggregate_snap(handle);
    });
}

void dtrace_sleep(dtrace_hdl_t* handle)
{
    dt::api::guarded(handle, 0, [&] {
        if (handle->state != State::Active || handle->trace->has_news())
            return 0;
        std::vector<pollfd> waiting;
        for (const int descriptor : handle->trace->descriptors())
            waiting.push_back({descriptor, POLLIN, 0});
        const milliseconds most = std::min(handle->trace->until_due(), handle->trace->poll_interval());
        poll(waiting.data(), waiting.size(), static_cast<int>(std::clamp<int64_t>(most.count(), 0, 1000)));
        return 0;
    });
}

int dtrace_status(dtrace_hdl_t* handle)
{
    return dt::api::guarded(handle, -1, [&]() -> int {
        switch (handle->state) {
        case State::Idle:
            return DTRACE_STATUS_NONE;
        case State::Active:
            break;
        default:
            return DTRACE_STATUS_STOPPED;
        }
        const bool is_over = handle->trace->is_over();
        handle->callbacks.aborted = 0;
        report_end(handle);
        if (handle->callbacks.aborted != 0)
            return handle->fail(handle->callbacks.aborted, {});
        if (!is_over)
            return DTRACE_STATUS_OKAY;
        dtrace_stop(handle);
        return DTRACE_STATUS_EXITED;
    });
}

int dtrace_consume(dtrace_hdl_t* handle, FILE* stream, dtrace_consume_probe_f* on_probe,
                   dtrace_consume_rec_f* on_record, void* argument)
{
    return dt::api::guarded(handle, -1, [&] {
        if (handle->state == State::Idle)
            return handle->fail(EDT_NOPROG, "tracing has not started: call dtrace_go() first");
        if (handle->state == State::Ended)
            return 0;
        dt::api::Callbacks& to = handle->callbacks;
        to.stream = stream;
        to.on_probe = on_probe;
        to.on_record = on_record;
        to.argument = argument;
        to.aborted = 0;
        int status = 0;
        if (handle->state == State::Stopping)
            status = end(handle);
        else {
            handle->trace->repeat_late_ticks();
            if (const dt::Result<void> passed = handle->trace->pass(); !passed)
                status = handle->fail(passed.error(), EDT_TRACE);
        }
        to.on_probe = nullptr;
        to.on_record = nullptr;
        return to.aborted != 0 ? handle->fail(to.aborted, {}) : status;
    });
}

dtrace_workstatus_t dtrace_work(dtrace_hdl_t* handle, FILE* stream, dtrace_consume_probe_f* on_probe,
                                dtrace_consume_rec_f* on_record, void* argument)
{
    const int status = dtrace_status(handle);
    if (status == DTRACE_STATUS_OKAY && snap_if_due(handle) != 0)
        return DTRACE_WORKSTATUS_ERROR;
    if (status == -1 || dtrace_consume(handle, stream, on_probe, on_record, argument) != 0)
        return DTRACE_WORKSTATUS_ERROR;
    return status == DTRACE_STATUS_OKAY || status == DTRACE_STATUS_NONE ? DTRACE_WORKSTATUS_OKAY
                                                                        : DTRACE_WORKSTATUS_DONE;
}
}

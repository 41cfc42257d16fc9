// Records on their way to the functions that a program gave.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "api/dtrace.h"
#include "libdtrace/output/sink.hpp"

namespace dt::api {

/// Who is called, and whether somebody wants the run to end.
class Callbacks {
public:
    explicit Callbacks(dtrace_hdl& handle) : handle_(handle) {}

    /// What dtrace_consume() was given, while it runs.
    FILE* stream = nullptr;
    dtrace_consume_probe_f* on_probe = nullptr;
    dtrace_consume_rec_f* on_record = nullptr;
    void* argument = nullptr;

    dtrace_handle_err_f* on_error = nullptr;
    dtrace_handle_drop_f* on_drop = nullptr;
    dtrace_handle_buffered_f* on_buffered = nullptr;
    dtrace_handle_setopt_f* on_setopt = nullptr;
    dtrace_handle_proc_f* on_process = nullptr;
    void *error_argument = nullptr, *drop_argument = nullptr, *buffered_argument = nullptr, *setopt_argument = nullptr,
         *process_argument = nullptr;

    /// 0, or the error that a callback asked for.
    int aborted = 0;

    void print(std::string_view text, dtrace_probedata_t* probe, const dtrace_recdesc_t* record);
    void error(const output::ErrorReport& report);
    void drop(const output::DropReport& report);
    void option_set(const dtrace_probedata_t& probe, std::string_view name, std::string_view value);
    /// A process has ended.
    void ended(pid_t pid);

    /// Of the sink that calls back; null before there is one.
    const format::Environment* environment = nullptr;

    dtrace_hdl& handle() { return handle_; }

private:
    dtrace_hdl& handle_;
    std::array<uint64_t, DTRACEDROP_OTHER + 1> drops_{};
};

/// Of a text at least, with zeros behind its end: consumers tell numbers by their size.
inline constexpr uint32_t kTextBytes = 256;

/// What DTrace calls an action that records such a datum.
dtrace_actkind_t action_of(const Datum& datum);

/// `callbacks` must outlive it.
std::unique_ptr<output::Sink> make_callback_sink(Callbacks& callbacks, const output::SinkOptions& with);

} // namespace dt::api

// Delivery of records to the callbacks of a program that uses the library.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "api/aggregations.hpp"
#include "api/dtrace.h"
#include "libdtrace/output/sink.hpp"

namespace dt::api {

/// Callbacks that the program has registered, and whether one of them aborted the run.
class Callbacks {
public:
    explicit Callbacks(dtrace_hdl& handle) : handle_(handle) {}

    /// Arguments of dtrace_consume() while it runs.
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

    /// error code that a callback has requested (EDT_…), or 0
    int aborted = 0;

    void print(std::string_view text, dtrace_probedata_t* probe, const dtrace_recdesc_t* record);
    void print(const PrintedAggregations::Piece& piece);
    void error(const output::ErrorReport& report);
    void drop(const output::DropReport& report);
    void option_set(const dtrace_probedata_t& probe, std::string_view name, std::string_view value);
    /// Reports to the program's handler that a process has ended.
    void ended(ps_prochandle& process);

    /// The callback sink's environment for formatting, such as symbols; null before the sink is created.
    const format::Environment* environment = nullptr;

    dtrace_hdl& handle() { return handle_; }

private:
    void print(std::string_view text, dtrace_bufdata_t data);

    dtrace_hdl& handle_;
    std::array<uint64_t, DTRACEDROP_OTHER + 1> drops_{};
};

/// Minimum size in bytes of a recorded string; shorter strings are padded with zeros. Consumers would interpret a datum
/// of 1, 2, 4 or 8 bytes as an integer.
inline constexpr uint32_t kTextBytes = 256;

/// Returns the action kind (DTRACEACT_*) that DTrace uses for a datum.
dtrace_actkind_t action_of(const Datum& datum);

/// Makes the sink that calls the registered callbacks. `callbacks` must outlive it.
std::unique_ptr<output::Sink> make_callback_sink(Callbacks& callbacks, const output::SinkOptions& with);

} // namespace dt::api

// What a handle of libdtrace(3) is: options, programs, processes, and once tracing begins a trace with a sink that
// calls back.
//
// A trace is made by dtrace_go(), of all programs that are enabled then; what was compiled before served to tell errors
// and matches. The library has no loop: dtrace_work() is one pass.
#pragma once

#include <cerrno>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/aggregations.hpp"
#include "api/callbacks.hpp"
#include "api/dtrace.h"
#include "api/program_statements.hpp"
#include "dcompiler/syntax/format.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::api {

/// Of dtrace_printf_create() and dtrace_printa_create().
struct KeptFormat {
    format::Format parsed;
    bool is_of_aggregations = false;
};

} // namespace dt::api

struct dtrace_prog {
    std::string text;
    dt::SpecKind kind = dt::SpecKind::Script;
    unsigned flags = 0;
    std::vector<std::string> arguments;
    dtrace_proginfo_t info{};
    dt::api::ProgramStatements statements;
    std::vector<std::pair<std::string, std::optional<std::string>>> pragmas;
};

struct ps_prochandle {
    pid_t pid = 0;
    bool is_told = false; ///< that it has ended
};

struct dtrace_hdl {
    enum class State { Idle, Active, Stopping, Ended };

    explicit dtrace_hdl(int flags);
    ~dtrace_hdl();
    dtrace_hdl(const dtrace_hdl&) = delete;
    dtrace_hdl& operator=(const dtrace_hdl&) = delete;

    /// With the processes so far; looked at once.
    dt::Result<dt::Session*> prepared();
    /// Remembers an error; returns -1.
    int fail(int code, std::string message);
    /// The same of a result: as errno(3) has it where that is known.
    int fail(const dt::Error& error, int otherwise);
    /// Whether aggregations can be read in the kernel.
    bool is_readable() const
    {
        return trace && callbacks.environment && (state == State::Active || state == State::Stopping);
    }
    /// For getopt; a later one wins.
    void note_option(const std::string& name, std::optional<std::string> value) { set_[name] = std::move(value); }
    /// What getopt says of an option that there is.
    dtrace_optval_t option_number(std::string_view name) const;
    /// With a NUL behind it, as long as the handle.
    const char* kept(std::string_view text) { return texts_.emplace(text).first->c_str(); }
    /// Another one takes its place; null: one is made when it is asked for.
    void begin_session(std::unique_ptr<dt::Session> begun);

    dt::Options options;
    bool is_offline = false; ///< DTRACE_O_NODEV
    std::unique_ptr<dt::Session> session;
    bool is_prepared = false;
    std::unique_ptr<dt::TypeTable> types; ///< that were looked up in the session
    std::vector<const dt::Type*> looked_up_types;
    std::deque<dt::api::KeptFormat> formats;
    std::deque<dtrace_prog> programs;
    std::vector<dtrace_prog*> enabled;
    std::deque<ps_prochandle> processes;
    std::map<std::string, std::optional<std::string>, std::less<>> set_;
    std::set<std::string, std::less<>> texts_;

    dt::Output output{-1};
    std::unique_ptr<dt::Trace> trace;
    State state = State::Idle;
    dt::api::Callbacks callbacks{*this};
    dt::api::Snapshot snapshot;
    uint64_t snapshot_time = 0;    ///< CLOCK_MONOTONIC ns of the last one that dtrace_work() took; 0: it took none
    std::string last_aggregations; ///< as they are printed, when the run is over

    int error = 0;
    std::string message, asked_message;
};

namespace dt::api {

/// What every function of the library is wrapped in: no exception leaves it.
template <typename Value, typename Body> Value guarded(dtrace_hdl_t* handle, Value otherwise, Body body)
{
    try {
        return body();
    } catch (const std::bad_alloc&) {
        handle->error = ENOMEM;
        handle->message.clear();
    } catch (const std::exception& thrown) {
        handle->fail(EDT_TRACE, thrown.what());
    }
    return otherwise;
}

SpecKind spec_kind_of(dtrace_probespec_t spec);

/// The handle's, with what a program's flags say.
Options options_of(const dtrace_hdl& handle, unsigned flags);

/// As snprintf(3): what fits and a NUL; returns the whole length.
std::size_t give(std::string_view found, char* text, std::size_t size);

/// False: the reasons are in the trace's diagnostics.
bool add(Trace& trace, const dtrace_hdl& handle, const dtrace_prog& program);

/// The parts of "provider:module:function:name".
dtrace_probedesc_t description(uint32_t id, std::string_view full_name);

} // namespace dt::api

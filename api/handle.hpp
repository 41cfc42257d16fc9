// Handle of libdtrace(3): options, programs, processes and, after dtrace_go(), a trace with a sink that calls the
// program's callbacks.
//
// dtrace_go() builds the trace from all enabled programs. Compiling a program earlier only finds its errors and counts
// its matching probes. The library has no event loop: dtrace_work() is one pass.
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
#include "dcompiler/sema/program/program.hpp"
#include "dcompiler/syntax/format.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::api {

/// The statements of a program for dtrace_stmt_iter(). Each statement has one probe description, and the actions of its
/// clause.
class ProgramStatements {
public:
    ProgramStatements() = default;
    explicit ProgramStatements(const Program& program);

    /// Returns one entry for each statement of each clause, and one for an empty clause. Entries of the same clause
    /// share a dtsd_ecbdesc.
    std::deque<dtrace_stmtdesc_t>& all() { return statements_; }

    dtrace_attribute_t least_of_descriptions() const { return of_descriptions_; }
    dtrace_attribute_t least_of_clauses() const { return of_clauses_; }

private:
    void add_clause(const Statement& clause);
    void add_actions(const std::vector<TStmt*>& body, dtrace_ecbdesc_t& clause);

    std::deque<dtrace_stmtdesc_t> statements_;
    std::deque<dtrace_ecbdesc_t> clauses_;
    std::deque<dtrace_actdesc_t> actions_;
    dtrace_attribute_t of_descriptions_{DTRACE_STABILITY_MAX, DTRACE_STABILITY_MAX, DTRACE_CLASS_MAX};
    dtrace_attribute_t of_clauses_ = of_descriptions_;
};

/// Format made by dtrace_printf_create() or dtrace_printa_create().
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
    bool is_reported = false; ///< whether the end of this process was already reported
};

struct dtrace_hdl {
    enum class State { Idle, Active, Stopping, Ended };

    explicit dtrace_hdl(int flags);
    ~dtrace_hdl();
    dtrace_hdl(const dtrace_hdl&) = delete;
    dtrace_hdl& operator=(const dtrace_hdl&) = delete;

    /// Returns the session. The first call creates it, for the processes that were added before.
    dt::Result<dt::Session*> prepared();
    /// Stores an error in the handle; returns -1.
    int fail(int code, std::string message);
    /// Stores the message of `error` with the code EDT_… of the failed function, and returns -1. The error's own errno
    /// is not used: consumers compare dtrace_errno() with EDT_… codes.
    int fail(const dt::Error& error, int code);
    /// Returns whether aggregations can be read from the kernel.
    bool is_readable() const
    {
        return trace && callbacks.environment && (state == State::Active || state == State::Stopping);
    }
    /// Stores the value of an option for dtrace_getopt(). A value that is stored later replaces the earlier one.
    void note_option(const std::string& name, std::optional<std::string> value) { set_[name] = std::move(value); }
    /// Returns the value that dtrace_getopt() stores for an existing option.
    dtrace_optval_t option_number(std::string_view name) const;
    /// Returns a NUL-terminated copy of the text, which lives as long as the handle.
    const char* kept(std::string_view text) { return texts_.emplace(text).first->c_str(); }
    /// Replaces the session by `begun`. If `begun` is null, the next function that needs a session creates one.
    void begin_session(std::unique_ptr<dt::Session> begun);

    dt::Options options;
    bool is_offline = false; ///< whether DTRACE_O_NODEV was given to dtrace_open()
    std::unique_ptr<dt::Session> session;
    bool is_prepared = false;
    std::unique_ptr<dt::TypeTable> types; ///< types that the library has found in the session
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
    uint64_t snapshot_time = 0; ///< CLOCK_MONOTONIC ns of the last snapshot by dtrace_work(); 0: none
    dt::api::PrintedAggregations last_aggregations; ///< contents of the aggregations at the end of the run

    int error = 0;
    std::string message, asked_message;
};

namespace dt::api {

/// Runs the body of a library function and converts exceptions into errors.
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

/// Returns the handle's options combined with the flags of one program (DTRACE_C_*).
Options options_of(const dtrace_hdl& handle, unsigned flags);

/// Copies a string like snprintf(3): truncated to `size` bytes including the NUL. Returns the full length.
std::size_t give(std::string_view found, char* text, std::size_t size);

/// Adds a program to a trace. On failure returns false, and the trace's diagnostics contain the reasons.
bool add(Trace& trace, const dtrace_hdl& handle, const dtrace_prog& program);

/// Prints the current aggregations of a trace into pieces, ordered as at the end of a run.
Result<void> print_aggregations(const dtrace_hdl& handle, PrintedAggregations& printed);

/// Splits "provider:module:function:name" into its components.
dtrace_probedesc_t description(uint32_t id, std::string_view full_name);

} // namespace dt::api

// Options of -x that affect compiled code, and the interface to set any option.
//
// Each component defines the options that it reads: the compiler in options.def, the tracer in libdtrace/options. A
// pragma in a program can set any option. Therefore the compiler receives an OptionSet by reference, and the tracer
// passes a derived class that has all options.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dcompiler/interface/option_rows.hpp"
#include "dcompiler/interface/world.hpp"

namespace dt {

inline constexpr uint64_t kWholePacket = 1520; ///< size in bytes of an Ethernet frame, rounded up to a multiple of 8
inline constexpr uint64_t kPrintBytes = 8192;

/// Options that the compiler reads.
struct CompileOptions {
#define DT_OPTION(name, type, initial, syntax, kind, user, bounds, text) type name = initial;
#define DT_FIELD(name, type, initial) type name = initial;
#include "dcompiler/interface/options.def"
    DataModel data_model = DataModel::Lp64; ///< data model that -32 or -64 selects
    bool check_hits = false;                ///< whether the environment variable DTRACE_CHECK_FIRINGS is set
    bool watched = false;                   ///< whether the tracer displays the cost of the program's trace
    bool records_threads = false;           ///< whether the tracer displays which thread has written each record
    bool has_successor = false;             ///< whether another trace can replace this one while it is attached

    /// Whether option -h or -G compiles the script to build an application with USDT probes. Translators may then be
    /// missing, and the script may be empty.
    bool for_build = false;

    bool counts_hits() const
    {
        return hits || check_hits;
    }
    /// Returns whether aggregations are limited to the maps that are created at the start. Otherwise the consumer adds
    /// maps when these are full.
    bool aggregations_are_fixed() const
    {
        return (aggsize_set && aggttl == 0) || !pin.empty();
    }
    /// Returns whether any option requires that programs count and time the firings of clauses.
    bool times_hits() const
    {
        return cost || annotate || maxcost != 0 || watched;
    }
    bool operator==(const CompileOptions&) const = default;
};

/// Returns the table of the compiler's options.
std::span<const OptionRow<CompileOptions>> compile_options();

/// Options in force. Code that reads options has const references. Only set() and similar functions change values, and
/// they apply the rules of the options' table.
class OptionSet {
public:
    virtual ~OptionSet() = default;

    const CompileOptions& compile() const { return compile_; }

    /// Sets an option by name. `value` is empty if there was no "=". Errors contain only the messages of libdtrace:
    /// "Invalid option name", "Invalid value for specified option", "Option cannot be used from within a D program",
    /// "Operation illegal when tracing is active", or "Option is not available in this version".
    virtual Result<void> set(std::string_view name, OptionText value, OptionSource source);

    /// Sets an option as if the command line contained it. The name and the value must be valid.
    void put(std::string_view name, OptionText value = {});
    /// Sets the data model of -32 and -64, which are not options of -x.
    void set_data_model(DataModel model) { compile_.data_model = model; }

    /// Makes programs count firings even without -x hits, so that tests can check that the filtered, recorded and lost
    /// firings add up to all firings.
    void check_hits() { compile_.check_hits = true; }

    /// Makes programs count costs as -x cost does. The costs are not printed, but the caller can query them.
    void watch_costs() { compile_.watched = true; }

    /// Makes each sample (the data of a firing) contain the thread that fired the probe, if `wanted`.
    void record_threads(bool wanted) { compile_.records_threads = wanted; }

    /// Prepares the trace for a handover: another trace can replace it while both are attached.
    void allow_successor() { compile_.has_successor = true; }

    /// Makes the compiler accept provider definitions, as -h and -G need for the build of an application. Programs may
    /// use translators that are not defined yet.
    void compile_for_build() { compile_.for_build = true; }

    /// A compilation can restart from its first source text. begin_texts() saves the options before the first text;
    /// restart_texts() restores them.
    void begin_texts() { first_ = compile_; }
    void restart_texts() { compile_ = first_; }

private:
    CompileOptions compile_, first_;
};

/// Returns the new value of option printsize if setopt() of option `name` to `value` changes it, else nothing.
std::optional<uint64_t> printsize_by_setopt(std::string_view name, std::string_view value);

} // namespace dt

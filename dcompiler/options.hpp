// The options of -x that change compiled code, and how any option is set.
//
// Who reads an option has it: the compiler those of options.def, what runs programs and prints the rest
// (libdtrace/options). But a program sets any of them by a pragma. So the compiler is given a set of options whose
// maker may have derived more of them from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dcompiler/option_rows.hpp"
#include "dcompiler/world.hpp"

namespace dt {

inline constexpr uint64_t kWholePacket = 1520; ///< an Ethernet frame, rounded up to 8
inline constexpr uint64_t kPrintBytes = 8192;

/// What the compiler reads.
struct CompileOptions {
#define DT_OPTION(name, type, initial, syntax, kind, user, bounds, text) type name = initial;
#define DT_FIELD(name, type, initial) type name = initial;
#include "dcompiler/options.def"
    DataModel data_model = DataModel::Lp64; ///< -32, -64
    bool check_firings = false;             ///< DTRACE_CHECK_FIRINGS
    bool watched = false;                   ///< by whoever runs the program, who wants to know what it costs
    bool records_threads = false;           ///< by whoever shows records: each is to say whose firing it was
    bool has_successor = false;             ///< perhaps: another trace that takes its place while it is attached

    bool for_build = false; ///< of a program (-h, -G): translators may be missing, the text be empty

    bool counts_firings() const
    {
        return firings || check_firings;
    }
    /// Aggregations have the room that they have: nobody is sure to be there to make more.
    bool aggregations_are_fixed() const
    {
        return (aggsize_set && aggttl == 0) || !pin.empty();
    }
    /// How often clauses fire, and how long that takes, is asked for by all of these.
    bool times_firings() const
    {
        return cost || annotate || maxcost != 0 || watched;
    }
    bool operator==(const CompileOptions&) const = default;
};

/// The table of these.
std::span<const OptionRow<CompileOptions>> compile_options();

/// Options in force. What reads them has references that are const; all writing is by set() and its like, by the rules
/// of the table.
class OptionSet {
public:
    virtual ~OptionSet() = default;

    const CompileOptions& compile() const { return compile_; }

    /// Sets an option by name. `value` is empty when there was no "=". Errors carry the library message ("Invalid
    /// option name", "Invalid value for specified option", "Option cannot be used from within a D program", "Operation
    /// illegal when tracing is active", "Option is not available in this version") and nothing else.
    virtual Result<void> set(std::string_view name, OptionText value, OptionSource source);

    /// As set() from the command line, for a name and a value that are known to be good.
    void put(std::string_view name, OptionText value = {});
    /// What -32 and -64 say, which are no options of -x.
    void set_data_model(DataModel model) { compile_.data_model = model; }

    /// Firings are counted, whether -x firings tells of them or not, and whoever runs the program checks that they add
    /// up.
    void check_firings() { compile_.check_firings = true; }

    /// Costs are counted as with -x cost, for whoever runs the program to ask for, and nobody is told of them.
    void watch_costs() { compile_.watched = true; }

    /// Each sample says which thread it is of.
    void record_threads(bool wanted) { compile_.records_threads = wanted; }

    /// Another trace may take the place of this one while both are attached.
    void allow_successor() { compile_.has_successor = true; }

    /// Provider definitions are compiled for the build of a program (-h, -G), where the translators that tracing will
    /// use need not be known.
    void compile_for_build() { compile_.for_build = true; }

    /// For a compiler that reads its texts again: what it reads is as it was when these began.
    void begin_texts() { first_ = compile_; }
    void begin_texts_again() { compile_ = first_; }

private:
    CompileOptions compile_, first_;
};

/// The largest value of printsize when `name` is set to `value` by setopt(); nothing: it does not change.
std::optional<uint64_t> printsize_by_setopt(std::string_view name, std::string_view value);

} // namespace dt

// Output of printf() and of the other formatting actions: printa(), system(), freopen() (dtrace-output(7), FORMATS).
// Also decodes floating-point numbers, because only formats print them.
//
// A format is bound to its data once per schema. Each conversion becomes a step with a function, the location of its
// bytes and their layout. Printing a record then only runs these steps.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dcompiler/syntax/format.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::format {

/// Appends a time, given in ns since 1970, for %Y and %T.
void append_time(Text& out, const Layout& layout, char conversion, int64_t nanoseconds);

/// Values for %@ in a format of printa(): the values of the aggregation entries that are printed.
class AggregatedValues {
public:
    virtual ~AggregatedValues() = default;
    /// Prints the value of the aggregation with index `index` by an integer conversion (d, u, o, x, X) or a time
    /// conversion (Y, T).
    virtual void append(Text& out, std::size_t index, const Layout& layout, char conversion) const = 0;
    /// Returns whether the values are the merged values of all expired keys. If so, there is no key to print.
    virtual bool are_of_gone_keys() const { return false; }
};

class BoundFormat {
public:
    BoundFormat() = default;

    /// Binds a format to the data of a record or key. Data for which the format has no conversion are not printed. A
    /// conversion for which there are no data is an error, because schema and format then do not match. `aggregations`
    /// is the number of printa()'s aggregations, or 0 for other actions.
    static Result<BoundFormat> bind(const Format& format, const std::vector<Datum>& data, std::size_t aggregations = 0);

    /// Prints the data by the format. `data` points to the start of the record or key, to which the offsets of data are
    /// relative.
    void append(Text& out, const Environment& env, const uint8_t* data, const AggregatedValues* values = nullptr) const
    {
        if (values && values->are_of_gone_keys())
            return append_expired(out, env, data, values);
        for (const Step& step : steps_)
            step.run(out, env, step, data, values);
    }

    /// Calls `visit` for the datum of each conversion in order; data for widths and precisions are omitted. Returns
    /// false if the format has no conversions.
    template <typename Visit> bool for_each_argument(Visit visit) const
    {
        bool has_arguments = false;
        for (const Step& step : steps_) {
            if (step.datum.size == 0)
                continue;
            has_arguments = true;
            visit(step.datum);
        }
        return has_arguments;
    }

    struct Step {
        using Run = void (*)(Text&, const Environment&, const Step&, const uint8_t*, const AggregatedValues*);
        Run run = nullptr;
        /// letter of the conversion: one of d u o x X, or a letter that only the step's function interprets
        char conversion = 0;
        bool has_stars = false;
        uint32_t bytes = 0; ///< size of the C integer type to which the value is converted; 0 if it is not converted
        Datum datum;        ///< datum whose value the step prints
        Layout layout;
        /// data that contain the values of '*' in %*.*d; the size of a datum is 0 if there is no '*' for it
        Datum width, precision;
        std::size_t index = 0; ///< for %@: index of the aggregation among the aggregations of printa()
        std::string text;      ///< literal text between conversions
    };

    std::string written; ///< the format string as in the program

private:
    void append_expired(Text& out, const Environment& env, const uint8_t* data, const AggregatedValues* values) const;

    std::vector<Step> steps_;
};

// Decodes floating-point numbers of traced programs. D programs only copy the bytes of such numbers.

/// Decodes a `_Float16`, float, double or long double (12 bytes in a 32-bit program). Returns nothing for other sizes.
std::optional<long double> load_floating(std::span<const uint8_t> bytes);

/// Appends the shortest text that identifies the number among all numbers of its type.
void append_floating(Text& out, std::span<const uint8_t> bytes);

} // namespace dt::format

// printf() and everything that formats like it: printa(), system(), freopen() (dtrace-output(7), FORMATS).
//
// A format is bound to its data once per schema: each conversion becomes one step that knows its function, where its
// bytes are and how they are laid out. Printing a record is then a walk over that table.
#pragma once

#include <string>
#include <vector>

#include "dcompiler/syntax/format.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::format {

/// %Y and %T: a time in nanoseconds since 1970.
void append_time(Text& out, const Layout& layout, char conversion, int64_t nanoseconds);

/// What %@ prints: the values of the aggregation entries that a printa() format is applied to.
class AggregatedValues {
public:
    virtual ~AggregatedValues() = default;
    /// Prints the value of the `index`-th aggregation under one conversion of integers (d, u, o, x, X) or times (Y, T).
    virtual void append(Text& out, std::size_t index, const Layout& layout, char conversion) const = 0;
    /// There is no key: they are those of all keys that fell silent.
    virtual bool are_of_gone_keys() const { return false; }
};

class BoundFormat {
public:
    BoundFormat() = default;

    /// Binds a format to the data of a record, or of a key. Data beyond the format's conversions are not printed; too
    /// few are an error, for then schema and format do not belong together. `aggregations` is the number of printa()'s,
    /// 0 for the others.
    static Result<BoundFormat> bind(const Format& format, const std::vector<Datum>& data, std::size_t aggregations = 0);

    /// `data` are the bytes the data's offsets count from.
    void append(Text& out, const Environment& env, const uint8_t* data, const AggregatedValues* values = nullptr) const
    {
        if (values && values->are_of_gone_keys())
            return append_gone(out, env, data, values);
        for (const Step& step : steps_)
            step.run(out, env, step, data, values);
    }

    /// What is printed, in order: the data of the conversions, without widths and precisions. False: there is none.
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
        char conversion = 0; ///< d u o x X, or what the step's function tells apart
        bool has_stars = false;
        uint32_t bytes = 0; ///< of the integer that the value is converted to; 0: it is not
        Datum datum;        ///< the value
        Layout layout;
        Datum width, precision; ///< of the stars; size 0: none
        std::size_t index = 0;  ///< %@: which aggregation
        std::string text;       ///< literal text
    };

    std::string written; ///< as the program has it

private:
    void append_gone(Text& out, const Environment& env, const uint8_t* data, const AggregatedValues* values) const;

    std::vector<Step> steps_;
};

} // namespace dt::format

// The text that names a probe at the start of an output line: the columns of the default layout, and the arrows and
// indentation of -F (dtrace-output(7), LINES).
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "dcompiler/interface/probes.hpp"
#include "libdtrace/format/value.hpp"
#include "libdtrace/options/options.hpp"

namespace dt::output {

struct ProbeText {
    enum class Flow : uint8_t { None, Entry, Return };

    uint32_t id = 0;
    std::string name;    ///< full name "provider:module:function:name", for error messages
    std::string columns; ///< columns after the CPU in the default layout: "%6d %32s "
    std::string bare;    ///< `columns` without the ID: "%32s "
    std::string entry;   ///< text of option -F for an entry or return probe: arrow and function
    std::string plain;   ///< text of option -F for any other probe: "| func:name"
    Flow flow = Flow::None;
};

/// Cache of the texts of all probes that have fired.
class ProbeTexts {
public:
    explicit ProbeTexts(ProbeSource& probes) : probes_(probes) {}

    const ProbeText& of(uint32_t id)
    {
        if (id < by_id_.size() && by_id_[id])
            return *by_id_[id];
        return make(id);
    }

private:
    const ProbeText& make(uint32_t id);

    ProbeSource& probes_;
    std::deque<ProbeText> texts_;
    std::vector<const ProbeText*> by_id_;
    ProbeText unknown_; // text for a probe id that no probe has, as in a damaged sample
};

/// Writes the headings and the prefixes of lines. Stores the flow indentation of each CPU.
class LinePrefix {
public:
    /// If `reproducible` is set, columns that vary from run to run are omitted.
    LinePrefix(const PrintOptions& options, bool reproducible) : options_(options), reproducible_(reproducible) {}

    void append_heading(format::Text& out) const;
    /// Appends a line's prefix. A firing may run several clauses; only the first one increases the indentation. `stmt`
    /// is the statement id of the clause.
    void append(format::Text& out, const format::Environment& env, uint32_t cpu, const ProbeText& probe, uint32_t stmt);

private:
    struct Cpu {
        std::size_t indent = 0;
        uint32_t last_probe = 0, last_stmt = 0;
    };
    void append_flow(format::Text& out, const format::Environment& env, Cpu& state, const ProbeText& probe,
                     uint32_t stmt);

    const PrintOptions& options_;
    bool reproducible_;
    std::vector<Cpu> cpus_;
};

} // namespace dt::output

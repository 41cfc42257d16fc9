// How a probe appears in front of a line: the columns of the default layout, and the arrows and indentation of -F
// (dtrace-output(7), LINES).
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "libdtrace/options/options.hpp"
#include "dcompiler/probes.hpp"
#include "libdtrace/format/value.hpp"

namespace dt::output {

struct ProbeText {
    enum class Flow : uint8_t { None, Entry, Return };

    uint32_t id = 0;
    std::string name;    ///< "provider:module:function:name", for error lines
    std::string columns; ///< "%6d %32s ": what follows the CPU in the default layout
    std::string bare;    ///< "%32s ": the same without CPU and ID
    std::string entry;   ///< -F, at an entry or return: arrow and function
    std::string plain;   ///< -F, anything else: "| func:name"
    Flow flow = Flow::None;
};

/// The texts of all probes met so far; each is made once.
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
    ProbeText unknown_; // an id that no probe has: a damaged sample
};

/// The heading and prefixes of lines. Flow indentation is kept for each CPU, across passes.
class LinePrefix {
public:
    /// `reproducible`: without the columns that differ from run to run.
    LinePrefix(const PrintOptions& options, bool reproducible) : options_(options), reproducible_(reproducible) {}

    void append_heading(format::Text& out) const;
    /// `stmt` tells two clauses of one entry probe apart: the second does not indent again.
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

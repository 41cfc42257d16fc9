// Sources of input lines: a terminal or a pipe.
#pragma once

#include <cstdio>
#include <string>

#include "cmd/shell/interrupts.hpp"

namespace dt::shell {

struct Line {
    enum class Kind { Text, End, Interrupted };
    Kind kind = Kind::End;
    std::string text; ///< without the newline
};

class Input {
public:
    virtual ~Input() = default;
    virtual Line read(const std::string& prompt) = 0;
    /// Stores a complete entry in the history.
    virtual void remember(const std::string&) {}
};

/// Lines of standard input without line editing. `prompts` is set for a terminal.
class PlainInput final : public Input {
public:
    PlainInput(Interrupts& interrupts, bool prompts) : interrupts_(interrupts), prompts_(prompts) {}

    Line read(const std::string& prompt) override;

private:
    Interrupts& interrupts_;
    const bool prompts_;
    std::string buffered_;
    bool at_end_ = false;
};

} // namespace dt::shell

// What the parts of the checker have in common. Each has one concern and the state that goes with it; what it needs of
// another part it asks of that part, through the checker that owns them all.
#pragma once

#include <string>
#include <string_view>

#include "dcompiler/options.hpp"
#include "dcompiler/sema/place.hpp"
#include "dcompiler/sema/program.hpp"

namespace dt::sema {

class Checker;

class Part {
public:
    /// The checker must outlive its parts.
    explicit Part(Checker& owner);

protected:
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    ~Part() = default;

    [[noreturn]] void fail(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    void late(std::string_view tag, const Span& at, std::string message, std::string hint = {});
    [[noreturn]] void fail_unknown(std::string_view tag, const Span& at, const std::string& name, std::string message,
                                   std::string hint = {});

    Checker& checker;
    Program& program;
    World& world;
    const CompileOptions& options;
    Diagnostics& diagnostics;
    TypeTable& types;
    Place& here;
};

} // namespace dt::sema

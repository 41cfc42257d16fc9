// Base class of the checker's components. Each component has one concern and its state, and reaches the other
// components through the checker that owns them.
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
    /// The checker must outlive its components.
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

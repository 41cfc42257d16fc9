// Parses and checks a D program for fixed kernel data (the frozen World), for tests of semantic analysis.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dcompiler/driver/frontend.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "libdtrace/options/options.hpp"
#include "test/unit/frozen_world.hpp"

namespace dt::test {

struct Checked {
    explicit Checked(std::string text, Options given = {}, std::vector<std::string> arguments = {})
        : options(std::move(given))
    {
        macros.arguments = std::move(arguments);
        macros.pid = 4242;
        add(std::move(text));
    }

    bool add(std::string text)
    {
        sources.push_back({Source::Kind::Script, "test.d", std::move(text)});
        return front.add(sources.back(), SpecKind::Script, macros);
    }

    /// Returns the tag of the first diagnostic, or "".
    std::string tag() const { return diagnostics.list().empty() ? "" : diagnostics.list().front().tag; }
    std::string message() const { return diagnostics.list().empty() ? "" : diagnostics.list().front().message; }
    std::string hint() const { return diagnostics.list().empty() ? "" : diagnostics.list().front().hint; }

    const Program& program() const { return front.program(); }
    const Statement& statement(std::size_t i = 0) const { return program().statements.at(i); }
    /// Returns statement `i` of the first clause as text, without a newline at its end.
    std::string text(std::size_t i = 0) const
    {
        if (!diagnostics.list().empty())
            return diagnostics.list().front().tag + ": " + diagnostics.list().front().message;
        std::string found = to_string(*statement().body.at(i));
        found.pop_back();
        return found;
    }

    Options options;
    Macros macros;
    FrozenWorld world;
    Diagnostics diagnostics;
    std::deque<Source> sources;
    sema::Frontend front{world, options, diagnostics};
};

/// Checks `expression` as argument of trace() in a BEGIN clause, and returns its text after the check.
inline std::string traced(const std::string& expression, const std::string& before = {})
{
    const Checked checked(before + " BEGIN { trace(" + expression + "); }");
    std::string text = checked.text();
    return text.rfind("trace(", 0) == 0 ? text.substr(6, text.size() - 7) : text;
}

inline std::string tag_of(const std::string& program)
{
    return Checked(program).tag();
}

} // namespace dt::test

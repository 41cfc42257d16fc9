// Functions for the syntax tests: they parse a text, and treat some names as types.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/syntax/parser.hpp"
#include "dcompiler/syntax/print.hpp"

namespace dt::test {

class FakeTypes : public syntax::TypeNames {
public:
    bool is_type(std::string_view name) override { return names.count(std::string(name)) != 0; }
    std::set<std::string> names{"uint64_t", "pid_t", "size_t", "foo_t", "vmlinux`list_t"};
};

/// The state of one parse. Options and macros must be set before run().
class Parse {
public:
    explicit Parse(std::string text, SpecKind kind = SpecKind::Script) : kind_(kind)
    {
        source.kind = kind == SpecKind::Script ? Source::Kind::Script : Source::Kind::CommandLine;
        source.name = kind == SpecKind::Script ? "prog.d" : text;
        source.text = std::move(text);
        hooks.option = [this](std::string_view name, std::optional<std::string_view> value) -> Result<void> {
            if (name == "nosuch")
                return Error{"Invalid option name"};
            set_options.push_back(std::string(name) + (value ? "=" + std::string(*value) : ""));
            return {};
        };
        hooks.item = [this](ast::Item& item) {
            if (item.kind == ast::Item::Kind::Declaration &&
                item.declaration->spec->storage == ast::StorageClass::Typedef)
                for (const ast::Declarator* declarator : item.declaration->declarators)
                    types.names.insert(declarator->name);
        };
    }

    Parse& run()
    {
        ast = syntax::parse(source, kind_, macros, options, types, hooks, diagnostics);
        return *this;
    }

    std::string tree() const { return syntax::print(*ast); }
    std::string tag() const { return diagnostics.list().empty() ? "" : diagnostics.list()[0].tag; }
    std::string message() const { return diagnostics.list().empty() ? "" : diagnostics.list()[0].message; }
    uint32_t line() const { return diagnostics.list().empty() ? 0 : diagnostics.list()[0].at.line; }
    std::vector<std::string> tags() const
    {
        std::vector<std::string> result;
        for (const Diagnostic& diagnostic : diagnostics.list())
            result.push_back(diagnostic.tag);
        return result;
    }

    Source source;
    CompileOptions options;
    Macros macros;
    FakeTypes types;
    syntax::ParseHooks hooks;
    Diagnostics diagnostics;
    std::unique_ptr<ast::Ast> ast;
    std::vector<std::string> set_options;

private:
    SpecKind kind_;
};

/// Returns the tree of a script, which must not have errors.
inline std::string tree_of(const std::string& text)
{
    Parse parse(text);
    parse.run();
    EXPECT_EQ(parse.message(), "") << text;
    return parse.tree();
}

/// Parses `text` as an expression in a clause, and returns the tree in prefix notation.
inline std::string expr_of(const std::string& text)
{
    const std::string tree = tree_of("BEGIN { " + text + "; }");
    const std::string head = "clause :::BEGIN\n  ";
    EXPECT_EQ(tree.substr(0, head.size()), head);
    return tree.size() > head.size() ? tree.substr(head.size(), tree.size() - head.size() - 1) : tree;
}

/// Returns the tag of the first error of a script, or "".
inline std::string tag_of(const std::string& text)
{
    return Parse(text).run().tag();
}

/// Returns the message of the first error of a script, or "".
inline std::string message_of(const std::string& text)
{
    return Parse(text).run().message();
}

/// Returns the line of the first error of a script, or 0.
inline uint32_t line_of(const std::string& text)
{
    return Parse(text).run().line();
}

} // namespace dt::test

// Front end of the compiler: converts source texts of programs into typed statements.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "dcompiler/sema/checker/checker.hpp"

namespace dt::sema {

class Frontend {
public:
    /// The front end refers to the arguments, which must outlive it. Source texts begin with the given options; pragmas
    /// change them.
    Frontend(World& world, OptionSet& options, Diagnostics& diagnostics);
    ~Frontend();

    /// Parses and checks another source text and appends its statements to program(). Returns false on errors, which
    /// are in the diagnostics. `source` must outlive the front end. The time is linear in the length of the text and in
    /// the number of probes that its descriptions match.
    bool add(const Source& source, SpecKind kind, const Macros& macros);

    /// Checks the D libraries before the first source text. Skips libraries whose dependencies are missing, and ignores
    /// clauses in libraries. Returns false on errors, which are in the diagnostics. `libraries` must outlive the front
    /// end.
    bool add_libraries(const std::deque<Source>& libraries, const Macros& macros);

    /// Returns the options in force: the constructor's options, changed by pragmas of the source texts added so far.
    const CompileOptions& options() const { return options_.compile(); }

    /// Returns the printed parse tree of the source text that was added last, if option tree is set; else an empty
    /// string.
    const std::string& parse_tree() const { return parse_tree_; }

    /// Frees the syntax trees and most types after compilation, when no source text will be added any more. program()
    /// keeps declarations, matched probes, statements without predicate and body, and types without members. If the
    /// program defines providers, it keeps their types too.
    void release_trees();

    Program& program() { return program_; }
    const Program& program() const { return program_; }

private:
    bool check(const Source& source, SpecKind kind, const Macros& macros);
    void begin_with_request(ast::Ast& tree, const Macros& macros);
    bool check_libraries();
    bool widen_types();
    void restart();
    bool load_library(std::string_view name);

    void copy_types();

    Program program_;
    std::deque<Type> copied_types_; ///< types to which program_ refers after release_trees()
    World& world_;
    OptionSet& options_;
    Diagnostics& diagnostics_;
    std::unique_ptr<Checker> checker_;
    /// Syntax trees of all source texts. They are not freed, because inlines and translators are expanded from them
    /// later.
    std::vector<std::unique_ptr<ast::Ast>> trees_;
    std::deque<Source> requests_; ///< source texts that the compiler generates for -x requestkey
    std::deque<Source> prelude_;  ///< built-in libraries that the program uses
    uint32_t texts_ = 0;
    std::string parse_tree_;

    struct Text {
        const Source* source;
        SpecKind kind;
        Macros macros;
    };
    std::vector<Text> given_; ///< source texts so far; all are checked again if a variable needs a wider type
    const std::deque<Source>* libraries_ = nullptr;
    Macros library_macros_;
};

} // namespace dt::sema

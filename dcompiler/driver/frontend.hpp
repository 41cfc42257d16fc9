// Front end of the compiler: converts texts into typed statements.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "dcompiler/sema/checker/checker.hpp"

namespace dt::sema {

class Frontend {
public:
    /// References must outlive the front end. The first text starts with the given options; pragmas change them.
    Frontend(World& world, OptionSet& options, Diagnostics& diagnostics);
    ~Frontend();

    /// Parses and checks another text of the run and appends its statements to program(). Returns false on errors,
    /// which are in the diagnostics. `source` must outlive the front end. Takes time linear in the text and in the
    /// probes that its descriptions match.
    bool add(const Source& source, SpecKind kind, const Macros& macros);

    /// Checks the D libraries of the run before its first text, as far as their dependencies exist. Their clauses are
    /// ignored. Returns false on errors, which are in the diagnostics. `libraries` must outlive the front end.
    bool add_libraries(const std::deque<Source>& libraries, const Macros& macros);

    /// Returns the options in force: the given ones, changed by pragmas of the texts so far.
    const CompileOptions& options() const { return options_.compile(); }

    /// If option tree is set, returns the parse tree of the last text as text; otherwise an empty string.
    const std::string& parse_tree() const { return parse_tree_; }

    /// Frees the trees and most types after compilation, if no text will be added. Declarations and matches remain in
    /// program(): statements without predicate and body, and types without members. If providers are defined, their
    /// types remain too.
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
    std::deque<Type> copied_types_; ///< types of program_, set by release_trees()
    World& world_;
    OptionSet& options_;
    Diagnostics& diagnostics_;
    std::unique_ptr<Checker> checker_;
    /// Trees of all texts. They are not freed, because inlines and translators are expanded from them later.
    std::vector<std::unique_ptr<ast::Ast>> trees_;
    std::deque<Source> requests_; ///< generated program texts that implement -x requestkey
    std::deque<Source> prelude_;  ///< built-in libraries in use
    uint32_t texts_ = 0;
    std::string parse_tree_;

    struct Text {
        const Source* source;
        SpecKind kind;
        Macros macros;
    };
    std::vector<Text> given_; ///< texts added so far, which are checked again if a variable needs a wider type
    const std::deque<Source>* libraries_ = nullptr;
    Macros library_macros_;
};

} // namespace dt::sema

// The front half of the compiler in one object: texts in, typed statements out.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

class Front {
public:
    /// References must outlive the front. The first text begins with the options as they are; pragmas set them.
    Front(World& world, OptionSet& options, Diagnostics& diagnostics);
    ~Front();

    /// Parses and checks one more text of the run; its statements are appended to program(). False when it had errors,
    /// which are then in the diagnostics. `source` must outlive the front. Cost: linear in the text and in the probes
    /// its descriptions match.
    bool add(const Source& source, SpecKind kind, const Macros& macros);

    /// Checks the D libraries of the run, before its first text, as far as what they depend on is there. Their clauses
    /// are nobody's and left out. False when one has errors, which are then in the diagnostics. `libraries` must
    /// outlive the front.
    bool add_libraries(const std::deque<Source>& libraries, const Macros& macros);

    /// Those in force: as given, and what pragmas of the texts so far set.
    const CompileOptions& options() const { return options_.compile(); }

    /// With option tree, of the last text; else empty.
    const std::string& parse_tree() const { return parse_tree_; }

    /// For who stays when all is compiled, and adds nothing more: gives up the trees, and its share in the types. What
    /// is declared and matched stays in program(), statements without predicate and body, types without members. With
    /// definitions of providers, which are made of types, these stay.
    void forget_trees();

    Program& program() { return program_; }
    const Program& program() const { return program_; }

private:
    bool check(const Source& source, SpecKind kind, const Macros& macros);
    void begin_with_request(ast::Ast& tree, const Macros& macros);
    bool check_libraries();
    bool settle_types();
    void start_again();
    bool load_library(std::string_view name);

    void copy_types();

    Program program_;
    std::deque<Type> copied_types_; ///< of program_, after forget_trees()
    World& world_;
    OptionSet& options_;
    Diagnostics& diagnostics_;
    std::unique_ptr<Checker> checker_;
    std::vector<std::unique_ptr<ast::Ast>> trees_; ///< inlines and translators are expanded from them later
    std::deque<Source> requests_;                  ///< of -x request
    std::deque<Source> prelude_;                   ///< built-in libraries that were needed
    uint32_t texts_ = 0;
    std::string parse_tree_;

    struct Text {
        const Source* source;
        SpecKind kind;
        Macros macros;
    };
    std::vector<Text> given_; ///< what must be checked again when a variable turns out wider than it was taken for
    const std::deque<Source>* libraries_ = nullptr;
    Macros library_macros_;
};

} // namespace dt::sema

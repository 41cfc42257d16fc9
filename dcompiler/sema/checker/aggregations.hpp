// Checkers of aggregations, @name[keys] = function(arguments), and of #pragma D metric, by which a metrics system sees
// an aggregation under a given name.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/sema/checker/checker_part.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::sema {

class Aggregations : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    /// Returns the aggregation with this name, or null if no source text that was already checked updates it.
    Aggregation* find_aggregation(std::string_view name);
    /// Checks an aggregation that is an argument: clear(@a), printa(@a).
    TExpr* aggregation_reference(const ast::Expr& e);
    /// Checks the update @a[keys] = function(arguments).
    TStmt* aggregate(const ast::Expr& e);

private:
    std::vector<TExpr*> aggregation_keys(const std::string& name, Aggregation* known, const ast::Expr& target,
                                         bool keyed);

    std::map<std::string, Aggregation*, std::less<>> aggregations_;
    /// Aggregations that are used with a subscript although no statement updates them.
    std::vector<std::unique_ptr<Aggregation>> unassigned_;
};

class Metrics : public CheckerPart {
public:
    using CheckerPart::CheckerPart;

    void process(const ast::Pragma& pragma);
    /// Records a use of an aggregation. The first use determines the names of the keys. All uses together determine
    /// whether values may be negative.
    void note_use(Aggregation& aggregation, const ast::Expr& target, const TStmt& use);
    /// Called at the end of a source text: describes every aggregation found so far as a metric. If the source text has
    /// no errors (`is_whole`), a pragma whose aggregation does not exist is an error.
    void finish(bool is_whole);

private:
    struct Declared {
        Metric metric;
        Span at;
        /// positions of the pragma's settings, by the name before the = of the setting
        std::map<std::string, Span, std::less<>> places;
        bool is_used = false;
    };
    struct Word {
        std::string_view name, value;
        Span at;
    };

    void take(Declared& into, const Word& word);
    void take_name(Metric& metric, const Word& word);
    void take_unit(Metric& metric, const Word& word);
    void take_labels(Metric& metric, const Word& word);
    void take_range(Metric& metric, const Word& word);
    void check(const Aggregation& aggregation, const Declared& declared);
    void complete(Aggregation& aggregation);
    [[noreturn]] void fail_at(const Declared& declared, std::string_view word, const std::string& message);

    std::map<std::string, Declared, std::less<>> declared_; ///< settings of all pragmas, by name of the aggregation
};

} // namespace dt::sema

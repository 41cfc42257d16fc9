// Finds the variables that a clause reads and writes by walking its typed expressions, not its code.
#include "cmd/listing_variables.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "dcompiler/sema/builtins.hpp"

namespace dt::cmd {
namespace {

constexpr uint32_t kFirstUserId = 0x500; // lower numbers are built-in variables, as in DTrace

/// One variable of any kind; the other pointers are null.
struct Row {
    const Variable* variable = nullptr;
    const BuiltinVariable* builtin = nullptr;
    const Aggregation* aggregation = nullptr;
    const Type* type = nullptr;
    bool read = false, written = false;
};

class Uses {
public:
    void add(const Statement& statement)
    {
        add(statement.predicate, false);
        add(statement.body);
    }

    const std::vector<Row>& rows() const { return rows_; }

private:
    Row& row(Row wanted)
    {
        const auto known = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) {
            return row.variable == wanted.variable && row.builtin == wanted.builtin &&
                   row.aggregation == wanted.aggregation;
        });
        return known != rows_.end() ? *known : rows_.emplace_back(wanted);
    }

    void add(const std::vector<TStmt*>& statements)
    {
        for (const TStmt* statement : statements) {
            add(statement->expr, false);
            for (const std::vector<TExpr*>* list : {&statement->args, &statement->keys})
                for (const TExpr* expr : *list)
                    add(expr, false);
            if (statement->aggregation)
                row({nullptr, nullptr, statement->aggregation}).written = true;
            for (const Aggregation* aggregation : statement->aggregations)
                row({nullptr, nullptr, aggregation}).read = true;
            add(statement->then);
            add(statement->otherwise);
        }
    }

    /// `target`: the expression is assigned to. In `a[k].m = 1` the target is a, while k is read.
    void add(const TExpr* expr, bool target)
    {
        if (!expr)
            return;
        if (expr->op == TOp::Variable || expr->op == TOp::Builtin) {
            Row& used = row({expr->variable, expr->builtin, nullptr, expr->type});
            (target ? used.written : used.read) = true;
        }
        const bool assigns = expr->op == TOp::Assign, holds = expr->op == TOp::Member || expr->op == TOp::Index;
        for (std::size_t i = 0; i < expr->kids.size(); ++i)
            add(expr->kids[i], i == 0 && (assigns || (target && holds)));
        if (assigns && (expr->compound != TOp::Integer || expr->post))
            add(expr->kids[0], false);
    }

    std::vector<Row> rows_;
};

const char* kind_of(const Row& row)
{
    if (row.aggregation)
        return "agg";
    const bool is_array = row.variable ? !row.variable->keys.empty() : row.builtin && row.builtin->is_array();
    return is_array ? "arr" : "scl";
}

const char* scope_of(const Row& row)
{
    if (!row.variable || row.variable->scope == Scope::Global)
        return "glb";
    return row.variable->scope == Scope::Self ? "tls" : "loc";
}

std::string type_of(const Type* type)
{
    if (!type)
        return "D type";
    const char* const kind = type->is_integer() ? "integer" : type->is_string() ? "string" : nullptr;
    return "D type (" + (kind ? std::string(kind) : to_string(type)) + ") (size " + std::to_string(type->size) + ")";
}

std::string text_of(const Row& row, std::size_t last)
{
    const std::string name = row.variable  ? row.variable->name
                             : row.builtin ? std::string(row.builtin->name)
                                           : row.aggregation->name;
    const uint32_t id = row.variable ? kFirstUserId + row.variable->index : row.aggregation ? row.aggregation->id : 0;
    const std::string number = row.builtin ? "-" : std::to_string(id), range = "[0-" + std::to_string(last) + "]";
    char text[128];
    std::snprintf(text, sizeof text, "%-4s %-6s %-3s %-3s %-11s %c%c%-3s", number.c_str(), "", kind_of(row),
                  scope_of(row), range.c_str(), row.read ? 'r' : ' ', row.written ? 'w' : ' ', "");
    return name + std::string(name.size() < 16 ? 16 - name.size() : 0, ' ') + " " + text +
           (row.aggregation ? "aggregation" : type_of(row.variable ? row.variable->type : row.type)) + "\n";
}

} // namespace

std::string variable_table(const std::vector<const Statement*>& statements, std::size_t last)
{
    Uses uses;
    for (const Statement* statement : statements)
        uses.add(*statement);
    if (uses.rows().empty())
        return {};
    std::string text = "\nNAME             ID   OFFSET KND SCP RANGE       FLAG TYPE\n";
    for (const Row& row : uses.rows())
        text += text_of(row, last);
    return text;
}

} // namespace dt::cmd

// Integer variables that nobody declared (language reference 3.2): they are kept in 64 bits, and their type, for sizeof and for what is
// recorded, is the widest integer type that the run assigns to them anywhere.
//
// So an assignment further down, or in a later text, may change what a variable is where it was already checked. Checking therefore notes
// every assignment to such a variable; when one turns out wider than it was taken for, the front end checks all texts again with the types
// found. And a variable that somebody did declare too narrow for what it is given is worth a warning.
#include "dcompiler/sema/checker.hpp"

namespace dt::sema {

namespace {

bool is_undeclared_integer(const TExpr* target)
{
    return target->op == TOp::Variable && target->variable->stored != target->variable->type;
}

uint64_t width(const Type* type)
{
    return type->resolve()->size;
}

} // namespace

Variable* Checker::create_undeclared(Scope scope, const std::string& name, const Type* type, std::vector<const Type*> keys, const Span& at)
{
    if (!type->is_integer())
        return create_variable(scope, name, type, std::move(keys), at);
    const Type*& widest = undeclared_types.emplace(VariableName{scope, name}, type).first->second;
    if (width(widest) < width(type))
        widest = type;
    Variable* made = create_variable(scope, name, widest, std::move(keys), at);
    made->stored = types.integer(8, widest->resolve()->is_signed);
    return made;
}

const Type* Checker::kept_type(const TExpr* target)
{
    return is_undeclared_integer(target) ? target->variable->stored : target->type;
}

void Checker::note_assigned(const TExpr* target, const TExpr* value, const Span& at)
{
    if (target->op != TOp::Variable || !target->type->is_integer() || !value->type->is_integer())
        return;
    const Variable& variable = *target->variable;
    if (undeclared_types.count({variable.scope, variable.name}) && find_variable_of(variable.scope, variable.name) == &variable) {
        assigned_.emplace_back(&variable, value);
        return;
    }
    const bool narrows = width(value->type) > width(target->type) && value->op != TOp::Integer;
    const bool own = source_ && source_->kind != Source::Kind::Library && expansions_.empty();
    if (!narrows || !own || unevaluated || variable.name.empty() || !narrowing_told_.insert(&variable).second)
        return;
    const std::string prefix = variable.scope == Scope::Self ? "self" : variable.scope == Scope::This ? "this" : "";
    std::string declaration = prefix + (prefix.empty() ? "" : " ") + dt::to_string(value->type) + " " + variable.name;
    for (std::size_t i = 0; i < variable.keys.size(); ++i)
        declaration += (i ? ", " : "[") + dt::to_string(variable.keys[i]);
    declaration += variable.keys.empty() ? ";" : "];";
    diagnostics.warning(at,
                        prefix + (prefix.empty() ? "" : "->") + variable.name + ", declared " + dt::to_string(variable.type) + ", keeps only " +
                            std::to_string(8 * width(variable.type)) + " bits of this " + dt::to_string(value->type) +
                            ": declare it " + declaration);
}

/// The type of an assigned value, now that more is known about the variables in it.
const Type* Checker::assigned_type(const TExpr* value)
{
    switch (value->op) {
    case TOp::Variable: {
        const auto found = undeclared_types.find(VariableName{value->variable->scope, value->variable->name});
        return found != undeclared_types.end() ? found->second : value->type;
    }
    case TOp::Negate: case TOp::BitNot: case TOp::ShiftLeft: case TOp::ShiftRight: case TOp::Assign:
        return assigned_type(value->kids[0]);
    case TOp::Comma:
        return assigned_type(value->kids[1]);
    case TOp::Multiply: case TOp::Divide: case TOp::Modulo: case TOp::Add: case TOp::Subtract:
    case TOp::BitAnd: case TOp::BitOr: case TOp::BitXor:
        return usual_type(assigned_type(value->kids[0]), assigned_type(value->kids[1]));
    case TOp::Conditional:
        if (value->kids[1]->type->is_integer() && value->kids[2]->type->is_integer())
            return usual_type(assigned_type(value->kids[1]), assigned_type(value->kids[2]));
        return value->type;
    default:
        return value->type;
    }
}

bool Checker::widen_undeclared()
{
    // Until nothing gets wider: of each variable that can happen three times, from one byte to eight.
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [variable, value] : assigned_) {
            const Type*& widest = undeclared_types[{variable->scope, variable->name}];
            const Type* type = assigned_type(value);
            if (width(type) <= width(widest))
                continue;
            widest = type;
            changed = true;
        }
    }
    for (const auto& [variable, value] : assigned_)
        if (width(undeclared_types[{variable->scope, variable->name}]) > width(variable->type))
            return true;
    return false;
}

} // namespace dt::sema

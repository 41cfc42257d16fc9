// Determines the types of undeclared integer variables. Also warns about declared variables that are too narrow for
// their values.
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

const Type* UndeclaredIntegers::type_for(Scope scope, const std::string& name, const Type* type)
{
    const Type*& widest = types_.emplace(std::make_pair(scope, name), type).first->second;
    if (width(widest) < width(type))
        widest = type;
    return widest;
}

Variable* Assignments::create_undeclared(Scope scope, const std::string& name, const Type* type,
                                         std::vector<const Type*> keys, const Span& at)
{
    if (!type->is_integer())
        return checker.names.create_variable(scope, name, type, std::move(keys), at);
    const Type* const widest = checker.undeclared.type_for(scope, name, type);
    Variable* made = checker.names.create_variable(scope, name, widest, std::move(keys), at);
    made->stored = types.integer(8, widest->resolve()->is_signed);
    return made;
}

const Type* Assignments::kept_type(const TExpr* target)
{
    return is_undeclared_integer(target) ? target->variable->stored : target->type;
}

void Assignments::note_assigned(const TExpr* target, const TExpr* value, const Span& at)
{
    if (target->op != TOp::Variable || !target->type->is_integer() || !value->type->is_integer())
        return;
    const Variable& variable = *target->variable;
    if (checker.undeclared.has(variable) &&
        checker.names.find_variable_of(variable.scope, variable.name) == &variable) {
        checker.undeclared.note_assigned(variable, value);
        return;
    }
    const bool narrows = width(value->type) > width(target->type) && value->op != TOp::Integer;
    const bool own = here.source && here.source->kind != Source::Kind::Library && here.expansions.empty();
    if (!narrows || !own || here.unevaluated || variable.name.empty() || !narrowing_told_.insert(&variable).second)
        return;
    const std::string prefix = variable.scope == Scope::Self ? "self" : variable.scope == Scope::This ? "this" : "";
    std::string declaration = prefix + (prefix.empty() ? "" : " ") + dt::to_string(value->type) + " " + variable.name;
    for (std::size_t i = 0; i < variable.keys.size(); ++i)
        declaration += (i ? ", " : "[") + dt::to_string(variable.keys[i]);
    declaration += variable.keys.empty() ? ";" : "];";
    diagnostics.warning(at, prefix + (prefix.empty() ? "" : "->") + variable.name + ", declared " +
                                dt::to_string(variable.type) + ", keeps only " +
                                std::to_string(8 * width(variable.type)) + " bits of this " +
                                dt::to_string(value->type) + ": declare it " + declaration);
}

/// Returns the type of an assigned value according to the current types of the variables in it.
const Type* UndeclaredIntegers::assigned_type(Checker& checker, const TExpr* value) const
{
    switch (value->op) {
    case TOp::Variable: {
        const auto found = types_.find({value->variable->scope, value->variable->name});
        return found != types_.end() ? found->second : value->type;
    }
    case TOp::Negate:
    case TOp::BitNot:
    case TOp::ShiftLeft:
    case TOp::ShiftRight:
    case TOp::Assign:
        return assigned_type(checker, value->kids[0]);
    case TOp::Comma:
        return assigned_type(checker, value->kids[1]);
    case TOp::Multiply:
    case TOp::Divide:
    case TOp::Modulo:
    case TOp::Add:
    case TOp::Subtract:
    case TOp::BitAnd:
    case TOp::BitOr:
    case TOp::BitXor:
        return checker.values.usual_type(assigned_type(checker, value->kids[0]),
                                         assigned_type(checker, value->kids[1]));
    case TOp::Conditional:
        if (value->kids[1]->type->is_integer() && value->kids[2]->type->is_integer())
            return checker.values.usual_type(assigned_type(checker, value->kids[1]),
                                             assigned_type(checker, value->kids[2]));
        return value->type;
    default:
        return value->type;
    }
}

bool UndeclaredIntegers::widen(Checker& checker)
{
    // Repeats until no variable gets wider, which can happen three times per variable: from one byte to eight.
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [variable, value] : assigned_) {
            const Type*& widest = types_[{variable->scope, variable->name}];
            const Type* type = assigned_type(checker, value);
            if (width(type) <= width(widest))
                continue;
            widest = type;
            changed = true;
        }
    }
    for (const auto& [variable, value] : assigned_)
        if (width(types_[{variable->scope, variable->name}]) > width(variable->type))
            return true;
    return false;
}

} // namespace dt::sema

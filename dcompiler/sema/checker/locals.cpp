// Checks uses of locals: the variables of the traced program at a probe of provider pid.
//
// A variable in memory becomes a dereferenced pointer, so that its members, elements and address can be used. If it is
// in registers at some instruction of the probes, it becomes a value. A clause may have several probes, and each may
// have several instructions: the variable must have the same type at all of them, but may have different locations.
#include <algorithm>
#include <optional>
#include <set>

#include "dcompiler/interface/suggest.hpp"
#include "dcompiler/sema/checker/checker.hpp"

namespace dt::sema {

namespace {

constexpr uint64_t kMaxBytesOfLocals = 4096;

/// Returns whether two types of different compilation units describe the same layout.
bool is_same_layout(const Type* a, const Type* b, unsigned depth)
{
    if (a == b || depth == 0)
        return a && b;
    if (!a || !b)
        return false;
    a = a->resolve();
    b = b->resolve();
    if (a->kind != b->kind || a->size != b->size || a->is_signed != b->is_signed || a->count != b->count ||
        a->name != b->name)
        return false;
    if (a->kind == TypeKind::Pointer || a->kind == TypeKind::Array)
        return is_same_layout(a->target, b->target, depth - 1);
    if (!a->is_record())
        return true;
    const std::vector<Member>&left = a->members(), &right = b->members();
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), [&](const Member& x, const Member& y) {
        return x.name == y.name && x.bit_offset == y.bit_offset && x.bit_size == y.bit_size &&
               is_same_layout(x.type, y.type, depth - 1);
    });
}

/// Returns the variable's type, or null if it is unknown or differs between the instructions of the probes.
const Type* common_type(TypeTable& types, const std::vector<ProbeVariable>& variables)
{
    constexpr unsigned kComparedLevels = 6;
    const Type* common = nullptr;
    bool is_first = true;
    for (const ProbeVariable& variable : variables)
        for (const auto& make : variable.types) {
            const Type* const type = make(types);
            if (!type || (!is_first && !is_same_layout(common, type, kComparedLevels)))
                return nullptr;
            common = std::exchange(is_first, false) ? type : common;
        }
    return common && common->resolve()->kind != TypeKind::Void && common->resolve()->kind != TypeKind::Function
               ? common
               : nullptr;
}

std::string hint_of_names(const ProbeVariables& variables, const std::string& wanted)
{
    Nearest nearest(wanted);
    std::string names;
    for (const ProbeVariable& each : variables.found) {
        nearest.add(each.name);
        names += (names.empty() ? "" : ", ") + each.name;
    }
    const std::string question = nearest.question();
    if (!question.empty())
        return question;
    return names.empty() ? "the function has no variables there" : "the variables there are " + names;
}

const ProbeVariable* find_named(const ProbeVariables& variables, const std::string& name)
{
    const auto found = std::find_if(variables.found.begin(), variables.found.end(),
                                    [&](const ProbeVariable& each) { return each.name == name; });
    return found == variables.found.end() ? nullptr : &*found;
}

/// Returns the index of the argument with this name, if the probe can read it. At a function's entry, parameters are
/// read as arguments: unoptimized code has not yet stored them where the debug information says.
std::optional<std::size_t> argument_index(const ProbeSignature& signature, const std::string& name)
{
    const std::vector<ProbeArgument>& arguments = signature.arguments;
    const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const ProbeArgument& argument) {
        return argument.name == name && argument.refusal.empty();
    });
    return found == arguments.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - arguments.begin()));
}

} // namespace

/// Returns the variables at each probe of the clause.
std::vector<ProbeVariables> Expressions::variables_here(const std::string& name, const Span& at)
{
    if (!here.statement || here.statement->probes.empty())
        fail("D_LOCALS_NONE", at, "locals may not be referenced outside of a probe clause");
    std::vector<ProbeVariables> all;
    for (const Probe* const probe : here.statement->probes) {
        all.push_back(world.probes().variables(*probe, name));
        if (!all.back().problem.empty())
            fail("D_LOCALS_NONE", at,
                 "the variables at " + probe->full_name() + " are not known: " + all.back().problem);
    }
    return all;
}

TExpr* Expressions::local_variable(const BuiltinVariable& locals, const std::string& name, const Span& at)
{
    const std::vector<ProbeVariables> all = variables_here(name, at);
    std::vector<ProbeVariable> variables;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Probe& probe = *here.statement->probes[i];
        const ProbeVariable* const found = find_named(all[i], name);
        if (!found)
            fail("D_LOCALS_NAME", at, "no variable " + name + " is visible at " + probe.full_name(),
                 hint_of_names(world.probes().variables(probe, {}), name));
        if (!found->refusal.empty())
            fail("D_LOCALS_GONE", at,
                 "variable " + name + " cannot be read at " + probe.full_name() + ": " + found->refusal);
        variables.push_back(*found);
    }
    if (variables.front().is_parameter && here.statement->arguments_known)
        if (const auto index = argument_index(world.probes().signature(*here.statement->probes.front()), name))
            return argument_value(*find_variable("args"), *index, at);
    return local_value(locals, name, variables, at);
}

/// Returns the parameter, if all probes of the clause have one of this name that can be read.
TExpr* Expressions::parameter_here(const std::string& name, const Span& at)
{
    const BuiltinVariable* const locals = find_variable("locals");
    std::vector<ProbeVariable> variables;
    if (!here.statement || here.statement->probes.empty())
        return nullptr;
    if (here.statement->arguments_known)
        if (const auto index = argument_index(world.probes().signature(*here.statement->probes.front()), name))
            return argument_value(*find_variable("args"), *index, at);
    for (const Probe* const probe : here.statement->probes) {
        const ProbeVariables all = world.probes().variables(*probe, name);
        const ProbeVariable* const found = find_named(all, name);
        if (!found || !found->is_parameter)
            return nullptr;
        if (!found->refusal.empty())
            fail("D_LOCALS_GONE", at,
                 "parameter " + name + " cannot be read at " + probe->full_name() + ": " + found->refusal);
        variables.push_back(*found);
    }
    return variables.empty() ? nullptr : local_value(*locals, name, variables, at);
}

TExpr* Expressions::local_value(const BuiltinVariable& locals, const std::string& name,
                                const std::vector<ProbeVariable>& variables, const Span& at)
{
    const Probe& probe = *here.statement->probes.front();
    const Type* const type = common_type(types, variables);
    if (!type)
        fail("D_LOCALS_TYPE", at,
             "the type of variable " + name + " at " + probe.full_name() +
                 " is not known, or differs between the places where the probes fire");
    checker.names.touch_attributes(probe.attributes ? probe.attributes->args : Attributes{}, at, "locals->" + name);
    here.statement->variables.insert(name);
    const bool is_in_memory =
        std::all_of(variables.begin(), variables.end(), [](const ProbeVariable& each) { return each.is_in_memory; });
    TExpr* made = checker.values.node(TOp::Builtin, type, at);
    made->builtin = &locals;
    made->text = name;
    std::vector<ByteRange> lost;
    for (const ProbeVariable& each : variables)
        lost.insert(lost.end(), each.lost.begin(), each.lost.end());
    if (!lost.empty())
        lost_parts_.emplace(made, std::move(lost));
    if (is_in_memory) {
        made->value = kAddressOfLocal;
        made->type = types.pointer_to(type, AddressSpace::User, 8);
        made = checker.values.node(TOp::Deref, type, at, {made});
    } else if (!type->is_scalar() && !type->is_record() && type->resolve()->kind != TypeKind::Float) {
        fail("D_LOCALS_TYPE", at,
             "variable " + name + " of type " + dt::to_string(type) + " at " + probe.full_name() +
                 " is in registers, where D cannot access its elements");
    }
    if (type->is_record() && is_counted_text(type) && !is_byte_slice(type) && !has_variants(type) &&
        !is_go_interface(type))
        return checker.values.counted_text(made);
    return made;
}

namespace {

/// Returns the variable of which `e` is a member or an element, or `e` itself. Adds to `start` the number of bytes from
/// the start of the variable to the member, and sets `size` to the number of bytes that may be read.
const TExpr* root_of_member(const TExpr& e, uint64_t& start, uint64_t& size)
{
    const TExpr* root = &e;
    size = e.type->resolve()->size;
    if (e.op == TOp::Member && e.member->bit_size != 0)
        size = (e.member->bit_offset % 8 + e.member->bit_size + 7) / 8;
    for (; root->op == TOp::Member || root->op == TOp::Index; root = root->kids[0]) {
        if (root->op == TOp::Member) {
            start += root->member->bit_offset / 8;
        } else if (root->kids[1]->op == TOp::Integer) {
            start += static_cast<uint64_t>(root->kids[1]->value) * root->type->resolve()->size;
        } else {
            start = 0; // any element may be read
            size = root->kids[0]->type->resolve()->size;
        }
    }
    return root;
}

} // namespace

void Expressions::check_lost_parts(const TExpr& e)
{
    uint64_t start = 0, size = 0;
    const TExpr* const root = root_of_member(e, start, size);
    if (const auto known = lost_parts_.find(root); known != lost_parts_.end())
        for (const ByteRange& lost : known->second)
            if (start < lost.end && lost.start < start + size)
                fail("D_LOCALS_GONE", e.at,
                     "variable " + root->text + " cannot be read at " + here.statement->probes.front()->full_name() +
                         ": the compiler has optimized bytes " + std::to_string(lost.start) + " to " +
                         std::to_string(lost.end - 1) + " of it away",
                     "read a member that is not among them");
    for (const TExpr* part = &e; part != root; part = part->kids[0])
        if (part->op == TOp::Index)
            check_lost_parts(*part->kids[1]);
    for (const TExpr* kid : root->kids)
        check_lost_parts(*kid);
}

void Expressions::check_lost_parts(const std::vector<TStmt*>& statements)
{
    for (const TStmt* each : statements) {
        if (each->expr)
            check_lost_parts(*each->expr);
        for (const TExpr* argument : each->args)
            check_lost_parts(*argument);
        for (const TExpr* key : each->keys)
            check_lost_parts(*key);
        check_lost_parts(each->then);
        check_lost_parts(each->otherwise);
    }
}

void Expressions::check_lost_parts(const Statement& statement)
{
    if (lost_parts_.empty())
        return;
    diagnostics.set_where(Where::Predicate);
    if (statement.predicate)
        check_lost_parts(*statement.predicate);
    diagnostics.set_where(Where::ActionList);
    check_lost_parts(statement.body);
}

TExpr* Expressions::all_locals(const BuiltinVariable& locals, const Span& at)
{
    const std::vector<ProbeVariables> all = variables_here({}, at);
    std::vector<Member> members;
    uint64_t size = 0;
    for (const ProbeVariable& first : all.front().found) {
        std::vector<ProbeVariable> variables;
        for (const ProbeVariables& each : all)
            if (const ProbeVariable* const found = find_named(each, first.name);
                found && found->refusal.empty() && found->lost.empty())
                variables.push_back(*found);
        const Type* const type = variables.size() == all.size() ? common_type(types, variables) : nullptr;
        const uint64_t bytes = type ? type->resolve()->size : 0;
        if (bytes == 0)
            continue;
        members.push_back({first.name, type, 8 * size, 0});
        here.statement->variables.insert(first.name);
        size = (size + std::min(bytes, kMaxBytesOfLocals + 1) + 7) & ~uint64_t{7};
        if (size > kMaxBytesOfLocals)
            fail("D_LOCALS_TYPE", at,
                 "the variables at " + here.statement->probes.front()->full_name() + " have more than " +
                     std::to_string(kMaxBytesOfLocals) + " bytes",
                 "print single variables, as in print(locals->" + first.name + ")");
    }
    const Probe& probe = *here.statement->probes.front();
    if (members.empty())
        fail("D_LOCALS_GONE", at, "no variable can be read at " + probe.full_name());
    checker.names.touch_attributes(probe.attributes ? probe.attributes->args : Attributes{}, at, "locals");
    Type* const record = types.make(TypeKind::Struct, "locals");
    record->size = size;
    record->complete = [members](std::vector<Member>& into, std::vector<Enumerator>&) { into = members; };
    TExpr* const made = checker.values.node(TOp::Builtin, record, at);
    made->builtin = &locals;
    return made;
}

} // namespace dt::sema

#include "test/verify/member_statements.hpp"

namespace dt::verify {
namespace {

constexpr unsigned kDeepest = 3;
constexpr uint64_t kLargest = 2048; ///< maximum number of bytes that one statement records

/// Returns the name under which a type is remembered, so that its members are read only once. Empty if the type has no
/// name.
std::string key_of(const Type* type)
{
    const Type* real = type->resolve();
    if (real->is_pointer())
        real = real->target->resolve();
    return real->is_record() && !real->name.empty() ? to_string(real) : std::string();
}

} // namespace

bool MemberStatements::is_new(const Type* type) const
{
    return !key_of(type).empty() && !read_.contains(key_of(type));
}

void MemberStatements::append(const std::string& expression, const Type* type, std::vector<std::string>& statements)
{
    value(expression, type, 0, statements);
    const Type* const real = type->resolve();
    const Type* const target = real->is_pointer() ? real->target->resolve() : nullptr;
    if (!target || !target->is_record())
        return;
    if (target->size <= kLargest) {
        statements.push_back("trace(*" + expression + ");");
        statements.push_back("this->copy_" + std::to_string(statements.size()) + " = *" + expression + ";");
    }
    statements.push_back("print(*" + expression + ");");
    if (is_new(target)) {
        read_.insert(key_of(target));
        members(expression + "->", target, 0, statements);
    }
}

void MemberStatements::members(const std::string& prefix, const Type* record, unsigned depth,
                               std::vector<std::string>& statements)
{
    for (const Member& member : record->members()) {
        const Type* const real = member.type->resolve();
        if (!member.name.empty())
            value(prefix + member.name, member.type, depth + 1, statements);
        else if (real->is_record())
            members(prefix, real, depth, statements);
    }
}

void MemberStatements::value(const std::string& expression, const Type* type, unsigned depth,
                             std::vector<std::string>& statements)
{
    const Type* const real = type->resolve();
    if (real->is_scalar())
        statements.push_back("trace(" + expression + "); @ = sum((int64_t)(" + expression + "));");
    else if (real->size <= kLargest)
        statements.push_back("trace(" + expression + ");");
    if (depth >= kDeepest)
        return;
    if (real->kind == TypeKind::Array)
        value(expression + "[0]", real->target, depth + 1, statements);
    if (!real->is_record() || (!real->name.empty() && !read_.insert(key_of(real)).second))
        return;
    members(expression + ".", real, depth, statements);
}

} // namespace dt::verify

#include "cmd/shell/types.hpp"

#include <algorithm>
#include <cstdio>

namespace dt::shell {
namespace {

const TStmt* last_statement(const std::vector<TStmt*>& statements)
{
    if (statements.empty())
        return nullptr;
    const TStmt* const last = statements.back();
    const TStmt* const inner = last_statement(last->otherwise.empty() ? last->then : last->otherwise);
    return inner ? inner : last;
}

constexpr char kCopy[] = "__copied"; ///< variable to which a translated object is assigned

/// Returns the type of the expression that the program's last statement prints or assigns.
const Type* last_type(const Program& program)
{
    for (const Variable& variable : program.variables)
        if (variable.name == kCopy)
            return variable.type;
    const TStmt* const statement =
        program.statements.empty() ? nullptr : last_statement(program.statements.back().body);
    return !statement || statement->args.empty() ? nullptr : statement->args[0]->type;
}

const Type* pointed_to(const Type* type)
{
    while (type->is_pointer())
        type = type->resolve()->target;
    return type;
}

void add_members(const Type* type, std::vector<std::string>& names)
{
    for (const Member& member : type->resolve()->members())
        if (!member.name.empty())
            names.push_back(member.name);
        else if (member.type->is_record())
            add_members(member.type, names);
}

/// Returns a C declaration, in which the name may stand inside the type.
std::string declaration(const Type* type, const std::string& name)
{
    std::string text = to_string(type);
    if (const auto star = text.find("(*"); star != std::string::npos)
        return text.insert(star + 2, name);
    if (const auto bracket = text.find(" ["); bracket != std::string::npos)
        return text.substr(0, bracket + 1) + name + text.substr(bracket + 1);
    return text + (text.ends_with('*') ? "" : " ") + name;
}

void describe_members(const Type* type, uint64_t base, const std::string& indent, std::string& text)
{
    for (const Member& member : type->resolve()->members()) {
        const uint64_t bit = base + member.bit_offset;
        char place[32];
        std::snprintf(place, sizeof place, "%6llu", static_cast<unsigned long long>(bit / 8));
        if (member.name.empty() && member.type->is_record()) {
            text += std::string(place) + indent +
                    (member.type->resolve()->kind == TypeKind::Union ? "union {\n" : "struct {\n");
            describe_members(member.type, bit, indent + "    ", text);
            text += "      " + indent + "};\n";
            continue;
        }
        text += place + indent + declaration(member.type, member.name) +
                (member.bit_size != 0 ? " : " + std::to_string(member.bit_size) : "") + ";\n";
    }
}

} // namespace

bool with_type(Workbench& workbench, const Place& place, const std::string& expression,
               const std::function<void(const Type*)>& use)
{
    bool found = false;
    const auto look = [&](const Program& program) {
        if (const Type* const type = last_type(program)) {
            found = true;
            use(type);
        }
    };
    // An expression statement must have an effect, so it is printed. Results of translators cannot be printed, but
    // assigned.
    const std::string copy = std::string("this->") + kCopy + " = ";
    for (const std::string& statement :
         {"print(" + expression + ")", copy + "*(" + expression + ")", copy + "(" + expression + ")"})
        if (!found)
            workbench.try_text(place.before + "\n" + statement + ";\n" + place.after, look);
    return found;
}

std::vector<std::string> member_names(const Type* type)
{
    std::vector<std::string> names;
    const Type* const record = pointed_to(type);
    if (record->is_record())
        add_members(record, names);
    return names;
}

std::string describe(const Type* type)
{
    const Type* const resolved = type->resolve();
    std::string text = to_string(type);
    if (type->kind == TypeKind::Typedef)
        text = "typedef " + declaration(type->target, text);
    const std::string size =
        resolved->size != 0 ? "/* " + std::to_string(resolved->size) + (resolved->size == 1 ? " byte */" : " bytes */")
                            : "/* its size is unknown */";
    if (resolved->is_record()) {
        text += " { " + size + "\n";
        describe_members(resolved, 0, "  ", text);
        return text + "};\n";
    }
    if (resolved->kind != TypeKind::Enum)
        return text + "; " + size + "\n";
    text += " { " + size + "\n";
    for (const Enumerator& each : resolved->enumerators())
        text += "\t" + each.name + " = " + std::to_string(each.value) + ",\n";
    return text + "};\n";
}

bool with_named_type(Workbench& workbench, const std::string& name, const std::function<void(const Type*)>& use)
{
    bool found = false;
    const auto of_pointer = [&](const Type* type) {
        const Type* const target = type->is_pointer() ? type->resolve()->target : type;
        if (target->resolve()->incomplete) // an undefined struct or enum tag
            return;
        found = true;
        use(target);
    };
    for (const char* const tag : {"", "struct ", "union ", "enum "})
        if (with_type(workbench, {}, std::string("(") + tag + name + " *)0", of_pointer) && found)
            return true;
    return with_type(workbench, {}, name, use);
}

} // namespace dt::shell

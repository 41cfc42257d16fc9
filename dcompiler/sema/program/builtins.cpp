// Tables that are made from builtins.def, and functions that find names in them.
#include "dcompiler/sema/program/builtins.hpp"

#include <algorithm>
#include <iterator>

#include "dcompiler/sema/program/hooks.hpp"

namespace dt {

namespace {

using namespace sema; // namespace of the check functions to which the tables refer

constexpr Attributes kStableAttributes{Stability::Stable, Stability::Stable, DependencyClass::Common};
constexpr Attributes kEvolvingAttributes{Stability::Evolving, Stability::Evolving, DependencyClass::Common};
constexpr Attributes kThreadAttributes{Stability::Stable, Stability::Private, DependencyClass::Common};
// stability attributes of probefunc and similar variables outside of clauses; in a clause, they are those of the
// component of the probe description
constexpr Attributes kProbeAttributes = kStableAttributes;

constexpr uint32_t k1_0 = d_version(1, 0), k1_1 = d_version(1, 1), k1_2 = d_version(1, 2), k1_3 = d_version(1, 3),
                   k1_5 = d_version(1, 5), k1_6 = d_version(1, 6), k1_6_1 = d_version(1, 6, 1), k2_0 = d_version(2, 0);

// Index of a name in builtins.def, and in the tables that other folders generate from builtins.def.
enum VariableIndex : uint8_t {
#define DT_VARIABLE(name, type, attributes, since, role, lower) variable_of_##name,
#include "dcompiler/sema/program/builtins.def"
};

enum SubroutineIndex : uint8_t {
#define DT_SUBROUTINE(name, prototype, attributes, since, flags, check, lower) call_of_##name,
#include "dcompiler/sema/program/builtins.def"
};

enum ActionIndex : uint8_t {
#define DT_ACTION(name, prototype, since, flags, check, lower, run) action_of_##name,
#include "dcompiler/sema/program/builtins.def"
};

constexpr BuiltinVariable kVariables[] = {
#define DT_VARIABLE(name, type, attributes, since, role, lower)                                                        \
    {#name, type, attributes, since, VariableRole::role, variable_of_##name},
#include "dcompiler/sema/program/builtins.def"
};

constexpr Subroutine kSubroutines[] = {
#define DT_SUBROUTINE(name, prototype, attributes, since, flags, check, lower)                                         \
    {#name, prototype, attributes, since, flags, check, call_of_##name},
#define DT_REFUSED_SUBROUTINE(name, prototype, attributes, since, flags, why)                                          \
    {#name, prototype, attributes, since, flags, nullptr, 0, why},
#include "dcompiler/sema/program/builtins.def"
};

constexpr Action kActions[] = {
#define DT_ACTION(name, prototype, since, flags, check, lower, run)                                                    \
    {#name, prototype, since, flags, check, action_of_##name},
#define DT_REFUSED_ACTION(name, prototype, since, flags, why) {#name, prototype, since, flags, nullptr, 0, why},
#include "dcompiler/sema/program/builtins.def"
};

constexpr AggFunction kAggFunctions[] = {
#define DT_AGGFUNC(name, prototype, since, kind, check) {#name, prototype, since, AggKind::kind, check},
#include "dcompiler/sema/program/builtins.def"
};

template <typename Entry, std::size_t N> const Entry* search(const Entry (&table)[N], std::string_view name)
{
    const auto found =
        std::find_if(std::begin(table), std::end(table), [&](const Entry& entry) { return entry.name == name; });
    return found != std::end(table) ? found : nullptr;
}

} // namespace

std::span<const BuiltinVariable> builtin_variables()
{
    return kVariables;
}
std::span<const Subroutine> subroutines()
{
    return kSubroutines;
}
std::span<const Action> actions()
{
    return kActions;
}
std::span<const AggFunction> agg_functions()
{
    return kAggFunctions;
}

RecordedText recorded_text(const TExpr& e)
{
    if (e.op == TOp::Builtin && e.builtin->is_only_recorded())
        return {e.builtin, nullptr, {}};
    if (e.op == TOp::Call && e.subroutine->has(kOnlyRecorded))
        return {nullptr, e.subroutine, e.text};
    return {};
}

const BuiltinVariable* find_variable(std::string_view name)
{
    return search(kVariables, name);
}
const Subroutine* find_subroutine(std::string_view name)
{
    return search(kSubroutines, name);
}
const Action* find_action(std::string_view name)
{
    return search(kActions, name);
}
const AggFunction* find_agg_function(std::string_view name)
{
    return search(kAggFunctions, name);
}

} // namespace dt

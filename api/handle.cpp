// Opens and closes handles; implements options, errors, handlers and probe descriptions, and describes the statements
// of programs.
#include "api/handle.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>

#include "dcompiler/syntax/macros.hpp"
#include "dcompiler/syntax/parser.hpp"

dtrace_hdl::dtrace_hdl(int flags) : is_offline((flags & DTRACE_O_NODEV) != 0)
{
    if ((flags & DTRACE_O_ILP32) != 0)
        options.set_data_model(dt::DataModel::Ilp32);
    output.messages().is_silent = true; // errors and drops go to the program's handlers, not to standard error
}

/// Destroys the trace first, because it refers to the session.
dtrace_hdl::~dtrace_hdl()
{
    trace.reset();
    output.text().clear();
}

void dtrace_hdl::begin_session(std::unique_ptr<dt::Session> begun)
{
    looked_up_types.clear();
    types.reset();
    session = std::move(begun);
    is_prepared = false;
}

dt::Result<dt::Session*> dtrace_hdl::prepared()
{
    if (!session)
        begin_session(std::make_unique<dt::Session>(options));
    if (!is_prepared) {
        if (const dt::Result<void> done = session->prepare(); !done)
            return done.error();
        is_prepared = true;
    }
    return session.get();
}

int dtrace_hdl::fail(int code, std::string text)
{
    error = code;
    message = std::move(text);
    return -1;
}

int dtrace_hdl::fail(const dt::Error& found, int code)
{
    return fail(code, found.message);
}

namespace {

constexpr struct {
    int code;
    const char* text;
} kMessages[] = {
    {EDT_VERSION, "the requested version is not supported: this library implements version 3"},
    {EDT_COMPILER, "the program has an error"},
    {EDT_BADOPTNAME, "Invalid option name"},
    {EDT_BADOPTVAL, "Invalid value for specified option"},
    {EDT_BADOPTCTX, "Operation illegal when tracing is active"},
    {EDT_ACTIVE, "Operation illegal when tracing is active"},
    {EDT_NOPROG, "no program is enabled: call dtrace_program_exec() first"},
    {EDT_ENABLE, "could not enable tracing"},
    {EDT_PROC, "a process could not be started or attached to"},
    {EDT_NOPROBE, "No probe matches description"},
    {EDT_NOSYM, "No such symbol"},
    {EDT_NOTYPE, "No such type"},
    {EDT_BADAGG, "the callback function returned an invalid status"},
    {EDT_DIRABORT, "a callback function stopped the run"},
    {EDT_BADSPCV, "invalid kind of probe description"},
    {EDT_TRACE, "recorded data cannot be read"},
    {EDT_NOMOD, "No such module"},
    {EDT_FORMAT, "the format does not match the records"},
};

/// Copies a string, truncated if necessary, and appends a NUL.
template <std::size_t size> void copy_part(char (&to)[size], std::string_view from)
{
    const std::size_t length = std::min(from.size(), size - 1);
    std::memcpy(to, from.data(), length);
    to[length] = '\0';
}

constexpr struct {
    std::string_view suffix;
    int64_t factor;
} kSuffixes[] = {{"k", 1 << 10}, {"m", 1 << 20},  {"g", 1 << 30},    {"ns", 1},
                 {"us", 1000},   {"ms", 1000000}, {"s", 1000000000}, {"sec", 1000000000},
                 {"nsec", 1},    {"usec", 1000},  {"msec", 1000000}, {"min", 60000000000}};

/// Returns an option's value as a number; DTRACEOPT_UNSET if it is not a number.
dtrace_optval_t number_of(const std::optional<std::string>& value)
{
    if (!value || *value == "on" || *value == "yes" || *value == "enable")
        return 1;
    int64_t number = 0;
    const char* const end = value->data() + value->size();
    const auto [stopped, wrong] = std::from_chars(value->data(), end, number);
    if (wrong != std::errc())
        return DTRACEOPT_UNSET;
    const std::string_view suffix(stopped, static_cast<std::size_t>(end - stopped));
    for (const auto& each : kSuffixes)
        if (suffix == each.suffix)
            return number * each.factor;
    if (suffix == "hz" && number > 0)
        return 1000000000 / number;
    return suffix.empty() ? number : DTRACEOPT_UNSET;
}

} // namespace

namespace dt::api {

dtrace_probedesc_t description(uint32_t id, std::string_view full_name)
{
    dtrace_probedesc_t made{};
    made.dtpd_id = id;
    const auto take = [&full_name] {
        const std::string_view part = full_name.substr(0, full_name.find(':'));
        full_name.remove_prefix(std::min(part.size() + 1, full_name.size()));
        return part;
    };
    copy_part(made.dtpd_provider, take());
    copy_part(made.dtpd_mod, take());
    copy_part(made.dtpd_func, take());
    copy_part(made.dtpd_name, full_name);
    return made;
}

std::size_t give(std::string_view found, char* text, std::size_t size)
{
    if (size > 0) {
        const std::size_t length = std::min(found.size(), size - 1);
        std::memcpy(text, found.data(), length);
        text[length] = '\0';
    }
    return found.size();
}

} // namespace dt::api

dtrace_optval_t dtrace_hdl::option_number(std::string_view name) const
{
    const auto found = set_.find(name);
    return found == set_.end() ? DTRACEOPT_UNSET : number_of(found->second);
}

extern "C" {

dtrace_hdl_t* dtrace_open(int version, int flags, int* error)
{
    int code = EDT_VERSION;
    if (version == DTRACE_VERSION) {
        try {
            return new dtrace_hdl(flags);
        } catch (const std::bad_alloc&) {
            code = ENOMEM;
        }
    }
    if (error)
        *error = code;
    return nullptr;
}

void dtrace_close(dtrace_hdl_t* handle)
{
    delete handle;
}

int dtrace_errno(dtrace_hdl_t* handle)
{
    return handle->error;
}

const char* dtrace_errmsg(dtrace_hdl_t* handle, int error)
{
    if (handle && error == handle->error && !handle->message.empty())
        return handle->message.c_str();
    for (const auto& each : kMessages)
        if (each.code == error)
            return each.text;
    return error < EDT_BASE ? strerrordesc_np(error) : "Unknown error";
}

int dtrace_setopt(dtrace_hdl_t* handle, const char* name, const char* value)
{
    return dt::api::guarded(handle, -1, [&] {
        if (handle->state != dtrace_hdl::State::Idle)
            return handle->fail(EDT_BADOPTCTX, {});
        const dt::OptionText text = value ? dt::OptionText(value) : dt::OptionText();
        if (!dt::Options::find(name))
            return handle->fail(EDT_BADOPTNAME, {});
        if (const dt::Result<void> set = handle->options.set(name, text, dt::OptionSource::CommandLine); !set)
            return handle->fail(set.error(), EDT_BADOPTVAL);
        handle->note_option(name, value ? std::optional<std::string>(value) : std::nullopt);
        // Discards the session, because a session reads some options when it is created, such as paths.
        if (handle->processes.empty())
            handle->begin_session(nullptr);
        return 0;
    });
}

int dtrace_getopt(dtrace_hdl_t* handle, const char* name, dtrace_optval_t* value)
{
    return dt::api::guarded(handle, -1, [&] {
        if (!dt::Options::find(name))
            return handle->fail(EDT_BADOPTNAME, {});
        *value = handle->option_number(name);
        return 0;
    });
}

int dtrace_handle_err(dtrace_hdl_t* handle, dtrace_handle_err_f* function, void* argument)
{
    handle->callbacks.on_error = function;
    handle->callbacks.error_argument = argument;
    return 0;
}

int dtrace_handle_drop(dtrace_hdl_t* handle, dtrace_handle_drop_f* function, void* argument)
{
    handle->callbacks.on_drop = function;
    handle->callbacks.drop_argument = argument;
    return 0;
}

int dtrace_handle_buffered(dtrace_hdl_t* handle, dtrace_handle_buffered_f* function, void* argument)
{
    handle->callbacks.on_buffered = function;
    handle->callbacks.buffered_argument = argument;
    return 0;
}

int dtrace_handle_setopt(dtrace_hdl_t* handle, dtrace_handle_setopt_f* function, void* argument)
{
    handle->callbacks.on_setopt = function;
    handle->callbacks.setopt_argument = argument;
    return 0;
}

int dtrace_handle_proc(dtrace_hdl_t* handle, dtrace_handle_proc_f* function, void* argument)
{
    handle->callbacks.on_process = function;
    handle->callbacks.process_argument = argument;
    return 0;
}

int dtrace_str2desc(dtrace_hdl_t* handle, dtrace_probespec_t spec, const char* text, dtrace_probedesc_t* made)
{
    return dt::api::guarded(handle, -1, [&] {
        const dt::Macros macros;
        const dt::CompileOptions options;
        dt::syntax::MacroTable table(macros, options);
        const auto parsed = dt::syntax::parse_description(text, dt::api::spec_kind_of(spec), table);
        if (!parsed)
            return handle->fail(parsed.error(), EDT_BADSPCV);
        *made = {};
        copy_part(made->dtpd_provider, parsed.value().provider);
        copy_part(made->dtpd_mod, parsed.value().module);
        copy_part(made->dtpd_func, parsed.value().function);
        copy_part(made->dtpd_name, parsed.value().name);
        return 0;
    });
}

int dtrace_probe_iter(dtrace_hdl_t* handle, const dtrace_probedesc_t* pattern, dtrace_probe_f* function, void* argument)
{
    return dt::api::guarded(handle, -1, [&] {
        const dt::Result<dt::Session*> session = handle->prepared();
        if (!session)
            return handle->fail(session.error(), EDT_TRACE);
        dt::ProbePattern wanted;
        if (pattern)
            wanted = {pattern->dtpd_provider, pattern->dtpd_mod, pattern->dtpd_func, pattern->dtpd_name};
        std::vector<const dt::Probe*> probes;
        if (const auto found = session.value()->world().probes().find(wanted, probes); !found)
            return handle->fail(found.error(), EDT_NOPROBE);
        for (const dt::Probe* const probe : probes) {
            const dtrace_probedesc_t each = dt::api::description(probe->id, probe->full_name());
            if (const int answer = function(handle, &each, argument); answer != 0)
                return answer;
        }
        return probes.empty() ? handle->fail(EDT_NOPROBE, {}) : 0;
    });
}
}

namespace dt::api {
namespace {

constexpr std::pair<std::string_view, dtrace_actkind_t> kKinds[] = {
    {"trace", DTRACEACT_DIFEXPR},
    {"exit", DTRACEACT_EXIT},
    {"printf", DTRACEACT_PRINTF},
    {"printa", DTRACEACT_PRINTA},
    {"tracemem", DTRACEACT_TRACEMEM},
    {"stack", DTRACEACT_STACK},
    {"ustack", DTRACEACT_USTACK},
    {"jstack", DTRACEACT_JSTACK},
    {"sym", DTRACEACT_SYM},
    {"func", DTRACEACT_SYM},
    {"mod", DTRACEACT_MOD},
    {"usym", DTRACEACT_USYM},
    {"ufunc", DTRACEACT_USYM},
    {"umod", DTRACEACT_UMOD},
    {"uaddr", DTRACEACT_UADDR},
    {"stop", DTRACEACT_STOP},
    {"raise", DTRACEACT_RAISE},
    {"system", DTRACEACT_SYSTEM},
    {"freopen", DTRACEACT_FREOPEN},
    {"breakpoint", DTRACEACT_BREAKPOINT},
    {"panic", DTRACEACT_PANIC},
    {"chill", DTRACEACT_CHILL},
    {"speculate", DTRACEACT_SPECULATE},
    {"commit", DTRACEACT_COMMIT},
    {"discard", DTRACEACT_DISCARD},
};

/// Returns the action number (dtrace_actkind_t) that DTrace uses for a statement, or DTRACEACT_LIBACT if DTrace has no
/// such action.
dtrace_actkind_t kind_of_statement(const TStmt& statement)
{
    if (statement.kind == TStmtKind::Aggregate)
        return api::kind_of(statement.aggregation->function->kind);
    if (statement.kind != TStmtKind::Action)
        return DTRACEACT_DIFEXPR;
    for (const auto& [name, kind] : kKinds)
        if (name == statement.action->name)
            return kind;
    return DTRACEACT_LIBACT;
}

dtrace_attribute_t attribute_of(const Attributes& attributes)
{
    return {static_cast<dtrace_stability_t>(attributes.name), static_cast<dtrace_stability_t>(attributes.data),
            static_cast<dtrace_class_t>(attributes.dependency)};
}

dtrace_attribute_t least(const dtrace_attribute_t& a, const dtrace_attribute_t& b)
{
    return {std::min(a.dtat_name, b.dtat_name), std::min(a.dtat_data, b.dtat_data),
            std::min(a.dtat_class, b.dtat_class)};
}

} // namespace

ProgramStatements::ProgramStatements(const Program& program)
{
    for (const Statement& clause : program.statements)
        add_clause(clause);
}

void ProgramStatements::add_clause(const Statement& clause)
{
    dtrace_ecbdesc_t& enabling = clauses_.emplace_back();
    enabling.dted_refcnt = 1;
    enabling.dted_probe = description(0, clause.description);
    const std::size_t first = actions_.size();
    add_actions(clause.body, enabling);
    if (first < actions_.size())
        enabling.dted_action = &actions_[first];
    const dtrace_attribute_t of_description = attribute_of(clause.description_attributes),
                             of_clause = attribute_of(clause.attributes);
    of_descriptions_ = least(of_descriptions_, of_description);
    of_clauses_ = least(of_clauses_, of_clause);
    for (std::size_t i = first; i < std::max(actions_.size(), first + 1); ++i) {
        dtrace_stmtdesc_t& statement = statements_.emplace_back();
        statement.dtsd_ecbdesc = &enabling;
        statement.dtsd_action = statement.dtsd_action_last = i < actions_.size() ? &actions_[i] : nullptr;
        statement.dtsd_descattr = of_description;
        statement.dtsd_stmtattr = of_clause;
    }
}

void ProgramStatements::add_actions(const std::vector<TStmt*>& body, dtrace_ecbdesc_t& clause)
{
    for (const TStmt* const statement : body) {
        if (statement->kind == TStmtKind::If) {
            add_actions(statement->then, clause);
            add_actions(statement->otherwise, clause);
            continue;
        }
        dtrace_actdesc_t& action = actions_.emplace_back();
        action.dtad_kind = kind_of_statement(*statement);
        action.dtad_ntuple = static_cast<uint32_t>(statement->keys.size());
        action.dtad_refcnt = 1;
        if (clause.dted_action)
            actions_[actions_.size() - 2].dtad_next = &action;
        clause.dted_action = &action;
    }
}

} // namespace dt::api

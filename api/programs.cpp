// Compiles programs and manages the processes that they trace.
#include <unistd.h>

#include "api/handle.hpp"
#include "dcompiler/interface/render.hpp"
#include "libdtrace/session/program_file.hpp"

namespace {

/// Returns "line 3: MESSAGE", followed by the source line with a caret and by the hint.
std::string text_of(const dt::Diagnostics& diagnostics)
{
    if (diagnostics.list().empty())
        return {};
    const dt::Diagnostic& first = diagnostics.list().front();
    if (!first.at.source)
        return first.message;
    const std::string place = dt::render_location(first.at, first.hint);
    return "line " + std::to_string(first.at.line) + ": " + first.message + (place.empty() ? "" : "\n" + place);
}

/// Compiles a program alone, before the trace, to report its errors and to count the matching probes.
bool check(dtrace_hdl_t* handle, dtrace_prog& program)
{
    const dt::Result<dt::Session*> session = handle->prepared();
    if (!session) {
        handle->fail(session.error(), EDT_COMPILER);
        return false;
    }
    if ((program.flags & DTRACE_C_CPP) != 0 || handle->options.run().cpp) {
        dt::Result<std::string> preprocessed = dt::preprocess(std::move(program.text), handle->options);
        if (!preprocessed) {
            handle->fail(preprocessed.error(), EDT_COMPILER);
            return false;
        }
        program.text = std::move(preprocessed.value());
    }
    dt::Trace trace(*session.value(), dt::api::options_of(*handle, program.flags));
    if (!dt::api::add(trace, *handle, program)) {
        handle->fail(EDT_COMPILER, text_of(trace.compiler().diagnostics()));
        return false;
    }
    const dt::Program& checked = trace.compiler().program();
    program.pragmas = checked.pragmas;
    program.statements = dt::api::ProgramStatements(checked);
    program.info.dpi_descattr = program.statements.least_of_descriptions();
    program.info.dpi_stmtattr = program.statements.least_of_clauses();
    program.info.dpi_aggregates = static_cast<uint32_t>(checked.aggregations.size());
    program.info.dpi_recgens = static_cast<uint32_t>(checked.statements.size());
    program.info.dpi_matches = static_cast<uint32_t>(trace.matched(0));
    return true;
}

dtrace_prog_t* compile(dtrace_hdl_t* handle, std::string text, dt::SpecKind kind, unsigned flags, int argc,
                       char* const argv[])
{
    return dt::api::guarded(handle, static_cast<dtrace_prog_t*>(nullptr), [&]() -> dtrace_prog_t* {
        if (handle->state != dtrace_hdl::State::Idle) {
            handle->fail(EDT_ACTIVE, {});
            return nullptr;
        }
        dtrace_prog& program = handle->programs.emplace_back();
        program.text = std::move(text);
        program.kind = kind;
        program.flags = flags;
        for (int i = 0; i < argc; ++i)
            program.arguments.emplace_back(argv[i]);
        if (check(handle, program))
            return &program;
        handle->programs.pop_back();
        return nullptr;
    });
}

/// Quotes a word so that command_words() returns it unchanged.
std::string quoted_word(std::string_view word)
{
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
}

dtrace_proc_t* add_process(dtrace_hdl_t* handle, const std::function<dt::Result<void>(dt::Processes&)>& start)
{
    return dt::api::guarded(handle, static_cast<dtrace_proc_t*>(nullptr), [&]() -> dtrace_proc_t* {
        if (handle->is_prepared && !handle->processes.empty()) {
            handle->fail(EDT_PROC, "processes must be created or attached to before the first program is compiled");
            return nullptr;
        }
        if (handle->is_prepared || !handle->session)
            handle->begin_session(std::make_unique<dt::Session>(handle->options));
        dt::Processes& processes = handle->session->processes();
        if (const dt::Result<void> started = start(processes); !started) {
            handle->fail(started.error(), EDT_PROC);
            return nullptr;
        }
        handle->processes.push_back({processes.pids().back()});
        return &handle->processes.back();
    });
}

} // namespace

namespace dt::api {

SpecKind spec_kind_of(dtrace_probespec_t spec)
{
    switch (spec) {
    case DTRACE_PROBESPEC_PROVIDER:
        return SpecKind::Provider;
    case DTRACE_PROBESPEC_MOD:
        return SpecKind::Module;
    case DTRACE_PROBESPEC_FUNC:
        return SpecKind::Function;
    case DTRACE_PROBESPEC_NAME:
        return SpecKind::Name;
    default:
        return SpecKind::Script;
    }
}

Options options_of(const dtrace_hdl& handle, unsigned flags)
{
    Options options = handle.options;
    constexpr std::pair<unsigned, const char*> kFlags[] = {{DTRACE_C_ZDEFS, "zdefs"},
                                                           {DTRACE_C_EMPTY, "empty"},
                                                           {DTRACE_C_ARGREF, "argref"},
                                                           {DTRACE_C_DEFARG, "defaultargs"}};
    for (const auto& [flag, name] : kFlags)
        if ((flags & flag) != 0)
            options.put(name);
    // Sets option quiet, because the program that uses the library prints the CPU and probe columns itself.
    options.put("quiet");
    return options;
}

bool add(Trace& trace, const dtrace_hdl& handle, const dtrace_prog& program)
{
    Macros macros = macros_of_process(handle.session->processes().first_pid());
    macros.script = "libdtrace";
    macros.arguments = program.arguments;
    const bool is_script = program.kind == SpecKind::Script;
    return trace.add({is_script ? Source::Kind::Script : Source::Kind::CommandLine,
                      is_script ? "program" : program.text, program.text},
                     program.kind, macros);
}

} // namespace dt::api

extern "C" {

dtrace_prog_t* dtrace_program_strcompile(dtrace_hdl_t* handle, const char* text, dtrace_probespec_t spec,
                                         unsigned flags, int argc, char* const argv[])
{
    return compile(handle, text, dt::api::spec_kind_of(spec), flags, argc, argv);
}

dtrace_prog_t* dtrace_program_fcompile(dtrace_hdl_t* handle, FILE* file, unsigned flags, int argc, char* const argv[])
{
    std::string text;
    char bytes[4096];
    for (std::size_t got = 0; (got = std::fread(bytes, 1, sizeof bytes, file)) != 0;)
        text.append(bytes, got);
    if (std::ferror(file)) {
        handle->fail(EIO, {});
        return nullptr;
    }
    return compile(handle, std::move(text), dt::SpecKind::Script, flags, argc, argv);
}

void dtrace_program_info(dtrace_hdl_t*, dtrace_prog_t* program, dtrace_proginfo_t* info)
{
    *info = program->info;
}

int dtrace_stmt_iter(dtrace_hdl_t* handle, dtrace_prog_t* program, dtrace_stmt_f* function, void* argument)
{
    return dt::api::guarded(handle, -1, [&] {
        for (dtrace_stmtdesc_t& statement : program->statements.all())
            if (const int answer = function(handle, program, &statement, argument); answer != 0)
                return answer;
        return 0;
    });
}

int dtrace_program_exec(dtrace_hdl_t* handle, dtrace_prog_t* program, dtrace_proginfo_t* info)
{
    return dt::api::guarded(handle, -1, [&] {
        if (handle->state != dtrace_hdl::State::Idle)
            return handle->fail(EDT_ACTIVE, {});
        handle->enabled.push_back(program);
        for (const auto& [name, value] : program->pragmas)
            handle->note_option(name, value);
        if (info)
            *info = program->info;
        return 0;
    });
}

dtrace_proc_t* dtrace_proc_create(dtrace_hdl_t* handle, const char* file, char* const* argv)
{
    return add_process(handle, [&](dt::Processes& processes) {
        std::string command = quoted_word(file);
        for (char* const* word = argv && *argv ? argv + 1 : nullptr; word && *word; ++word)
            command += " " + quoted_word(*word);
        return processes.create(command);
    });
}

dtrace_proc_t* dtrace_proc_grab(dtrace_hdl_t* handle, pid_t pid, int)
{
    return add_process(handle, [pid](dt::Processes& processes) { return processes.attach(std::to_string(pid)); });
}

pid_t dtrace_proc_getpid(dtrace_hdl_t*, dtrace_proc_t* process)
{
    return process->pid;
}

int dtrace_proc_status(dtrace_hdl_t* handle, dtrace_proc_t* process, int* status)
{
    return dt::api::guarded(handle, -1, [&] {
        const std::optional<int> ended = handle->session->processes().status(process->pid);
        if (!ended)
            return handle->fail(EDT_PROC, "the process has not ended, or this library did not start it");
        *status = *ended;
        return 0;
    });
}

void dtrace_proc_continue(dtrace_hdl_t* handle, dtrace_proc_t*)
{
    dt::api::guarded(handle, 0, [&] {
        handle->session->processes().release();
        return 0;
    });
}

void dtrace_proc_release(dtrace_hdl_t* handle, dtrace_proc_t* process)
{
    dtrace_proc_continue(handle, process);
}
}

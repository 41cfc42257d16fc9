// Encodes as bytes the requests to the compiler process and its responses. This process is a fork of the service, so a
// request may contain pointers into the service's memory.
#include "cmd/service/compiler_process.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/packed_bytes.hpp"
#include "cmd/service/script_instance.hpp"
#include "dcompiler/interface/render.hpp"
#include "libdtrace/attach/dynamic_probes.hpp"
#include "libdtrace/records/actions.hpp"

namespace dt::service {
namespace {

/// Limits of the compiler process, far above the needs of any valid script.
constexpr ReaderBounds kCompilerBounds{.seconds = 40};

/// Writers and readers of messages. They are defined in this file, so that argument-dependent lookup finds the
/// functions fields() below.
class MessageWriter : public archive::Writer {};
class MessageReader : public archive::Reader {
public:
    using Reader::Reader;
};

template <typename A> void fields(A& archive, Macros& it)
{
    archive::all(archive, it.script, it.arguments, it.pid, it.ppid, it.pgid, it.sid, it.uid, it.euid, it.gid, it.egid,
                 it.target);
}

template <typename A> void fields(A& archive, UntrustedFiles::UnreadableFile& it)
{
    archive::all(archive, it.path, it.reason);
}

template <typename A> void question(A& archive, uint64_t& context, TypedProgram& typed)
{
    archive::all(archive, context, typed.source.name, typed.source.text);
    fields(archive, typed.macros);
}

template <typename A> void answer(A& archive, Compiled& it)
{
    archive::choice(archive, it.what, Compiled::What::NotHere);
    archive::all(archive, it.text, it.unread);
}

/// Returns whether the compiled program can be sent to the service in packed form (as bytes). This is impossible if the
/// service needs the compiler's data later: to compile again for each process that the trace follows, or for the types
/// that print() shows.
bool can_be_packed(Trace& trace, Session& session)
{
    const auto& programs = trace.object().schema.programs;
    return !DynamicProbes::may_follow(trace.program(), session.processes()) &&
           !consume::shows_types(trace.object().schema) && !trace.options().compile().annotate &&
           std::none_of(programs.begin(), programs.end(),
                        [](const ProgramPlan& each) { return each.plan->kind_info().in_engine; });
}

Compiled compile_text(const ServiceContext& context, TypedProgram typed)
{
    Session session(options_of_scripts(context.options), context.base_session);
    Trace trace(session, session.options());
    Compiled compiled;
    const bool added = trace.add(std::move(typed.source), typed.kind, typed.macros);
    if (added && DynamicProbes::may_follow(trace.program(), session.processes()))
        return compiled;
    const Result<void> made = added ? trace.compile() : Result<void>();
    if (!added || !made) {
        compiled.what = Compiled::What::Refused;
        compiled.text = error_of(trace, added, made);
    } else if (can_be_packed(trace, session)) {
        compiled.what = Compiled::What::Packed;
        compiled.text = pack(trace.object(), trace.program());
    }
    compiled.unread = session.world().untrusted_files()->take_refused();
    return compiled;
}

/// Handles a request of the service in the child process.
std::string answer_to(ReaderState&, std::string_view request)
{
    MessageReader reader(request);
    uint64_t context = 0;
    TypedProgram typed;
    typed.source.kind = Source::Kind::Script;
    question(reader, context, typed);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): valid here, because this process is a copy of the sender
    Compiled compiled = compile_text(*reinterpret_cast<const ServiceContext*>(context), std::move(typed));
    MessageWriter writer;
    answer(writer, compiled);
    return writer.take();
}

} // namespace

Compiled CompilerProcess::compile(const ServiceContext& context, const TypedProgram& typed)
{
    if (!process_) {
        // Ends the sandboxed readers before the child is forked, because the child can neither use nor wait for them.
        context.base_session.world().untrusted_files()->end();
        auto started = SandboxedReader::start(kCompilerBounds, be_compiler);
        if (!started)
            return {};
        process_ = std::move(started.value());
        // Sends signs of life to systemd while a script is compiled: on a busy machine this may take longer than the
        // watchdog's limit (WatchdogSec).
        process_->set_waiting_callback(context.lives);
    }
    MessageWriter writer;
    auto place = reinterpret_cast<uint64_t>(&context);
    // the cast is safe, because writing a message does not modify the program
    question(writer, place, const_cast<TypedProgram&>(typed));
    const Result<std::string> said = process_->query(answer_to, writer.bytes());
    if (!said) {
        end();
        return {Compiled::What::Refused,
                "failed to compile script " + typed.source.name + ": the compiler " + said.error().message,
                {}};
    }
    MessageReader reader(said.value());
    Compiled compiled;
    answer(reader, compiled);
    return reader.good() && reader.at_end() ? std::move(compiled) : Compiled{};
}

std::string error_of(Trace& trace, bool added, const Result<void>& compiled)
{
    if (trace.compiler().diagnostics().has_errors()) {
        RenderOptions how;
        how.program = &trace.sources().back();
        std::string text = render_all(trace.compiler().diagnostics(), how);
        const std::string name = std::string(program_invocation_short_name) + ": ";
        if (text.starts_with(name)) // removes the prefix, because the caller prints it
            text.erase(0, name.size());
        while (text.ends_with('\n'))
            text.pop_back();
        return text;
    }
    if (added && !compiled)
        return "could not enable tracing: " + compiled.error().message;
    return "failed to compile script " + trace.sources().back().name;
}

} // namespace dt::service

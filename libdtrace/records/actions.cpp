// Implements the consumer's part of each action in a handler function.
#include "libdtrace/records/actions.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace dt::consume {

namespace {

int64_t integer(const Sample& sample, const RecordPlan& plan, std::size_t index)
{
    return format::load_integer(plan.record->data[index], sample.data);
}

std::span<const uint8_t> bytes(const Sample& sample, const Datum& datum)
{
    return {sample.data + datum.offset, datum.size};
}

std::string formatted(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    format::Text text;
    // The text is an argument of the action and does not go to a terminal, so control characters in it need not be
    // escaped.
    const bool escape = std::exchange(decoder.env.escape, false);
    plan.format.append(text, decoder.env, sample.data);
    decoder.env.escape = escape;
    return std::string(text.view());
}

// ---- values ---------------------------------------------------------------------------------------------------------

void do_value(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.sink->value(plan.record->data[0], sample.data);
}

void do_stack(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.sink->stack(plan.record->data[0], sample.data);
}

void do_symbol(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.sink->symbol(plan.record->data[0], sample.data);
}

void do_printf(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.sink->formatted(plan.format, sample.data);
}

// Handles tracemem(address, n [, d]). A `d` from 0 to n - 1 limits the number of bytes that are printed.
void do_tracemem(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    auto shown = bytes(sample, plan.record->data[0]);
    if (plan.record->data.size() > 1) {
        const int64_t limit = integer(sample, plan, 1);
        if (limit >= 0 && static_cast<uint64_t>(limit) < shown.size())
            shown = shown.first(static_cast<std::size_t>(limit));
    }
    decoder.sink->memory(shown);
}

void do_print(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    const std::size_t most = decoder.options.compile().printsize;
    const auto shown = [most](std::span<const uint8_t> recorded) {
        return recorded.first(std::min<std::size_t>(recorded.size(), most));
    };
    const Datum& pointer = plan.record->data[0];
    // Handles print() of a value itself, not of the object to which a pointer points.
    if (plan.record->data.size() == 1) {
        if (!format::is_text(pointer))
            return decoder.sink->object({}, pointer.type, shown(bytes(sample, pointer)));
        const std::string_view text = format::load_characters(decoder.env, pointer, sample.data);
        return decoder.sink->object({}, pointer.type,
                                    shown({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
    }
    const Datum& object = plan.record->data[1];
    const Type* type = object.type;
    if (!type && pointer.type && pointer.type->is_pointer())
        type = pointer.type->resolve()->target;
    decoder.sink->object(static_cast<uint64_t>(integer(sample, plan, 0)), type, shown(bytes(sample, object)));
}

// Handles a packet record. It contains four values: the time, the captured length, the protocol and the bytes.
void do_pcap(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    const auto packet = bytes(sample, plan.record->data[3]);
    const auto length = static_cast<uint64_t>(std::max<int64_t>(integer(sample, plan, 1), 0));
    decoder.sink->packet({static_cast<uint64_t>(integer(sample, plan, 0)),
                          static_cast<uint32_t>(integer(sample, plan, 2)),
                          packet.first(std::min<std::size_t>(length, packet.size()))});
}

// ---- aggregations ---------------------------------------------------------------------------------------------------

void do_printa(Decoder& decoder, const Sample&, const RecordPlan& plan)
{
    decoder.keep_first_failure(decoder.aggregations.print(*decoder.sink, plan.record->aggregations,
                                                          plan.record->has_format ? &plan.formats : nullptr));
}

void do_clear(Decoder& decoder, const Sample&, const RecordPlan& plan)
{
    decoder.keep_first_failure(decoder.aggregations.clear(plan.record->aggregations[0]));
}

void do_trunc(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    const int64_t keep = plan.record->data.empty() ? 0 : integer(sample, plan, 0);
    decoder.keep_first_failure(decoder.aggregations.truncate(plan.record->aggregations[0], keep));
}

void do_normalize(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.aggregations.normalize(plan.record->aggregations[0], integer(sample, plan, 0));
}

void do_denormalize(Decoder& decoder, const Sample&, const RecordPlan& plan)
{
    decoder.aggregations.normalize(plan.record->aggregations[0], 1);
}

// ---- the run and its output stream ----------------------------------------------------------------------------------

void do_setopt(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    std::vector<std::string> texts = plan.record->texts;
    for (const Datum& datum : plan.record->data)
        texts.emplace_back(format::load_characters(decoder.env, datum, sample.data));
    if (texts.empty())
        return;
    const std::string value = texts.size() > 1 ? texts[1] : "1";
    const Result<void> set = decoder.options.set(texts[0], value, OptionSource::Setopt);
    if (!set)
        decoder.report_error(sample, "couldn't set option \"" + texts[0] + "\" to \"" + value +
                                         "\": " + set.error().message + "\n");
    else
        decoder.sink->option_set(texts[0], value);
}

void do_system(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    std::string command = formatted(decoder, sample, plan);
    command.resize(std::min<std::size_t>(command.size(), decoder.options.compile().strsize));
    decoder.output.send();
    // If the format is machine-readable, the output of a command of system() goes to standard error, so that it is not
    // mixed with the trace's output.
    const bool is_text = decoder.options.print().format == OutputFormat::Text;
    if (!run_system_command(command, is_text ? STDOUT_FILENO : STDERR_FILENO))
        decoder.report_error(sample, "couldn't run system() command");
}

void do_freopen(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    const std::string path = formatted(decoder, sample, plan);
    if (const Result<void> opened = decoder.output.redirect(path); !opened)
        decoder.report_error(sample, "couldn't freopen() \"" + path + "\": " + opened.error().message);
    decoder.env.escape = must_escape(decoder.options, decoder.output);
}

void do_ftruncate(Decoder& decoder, const Sample&, const RecordPlan&)
{
    decoder.output.truncate();
}

/// Handler of freeze(), which does nothing, because the consumer acts before: it looks for freeze() records
/// (Decoder::freezes()) and prints all stored records.
void do_freeze(Decoder&, const Sample&, const RecordPlan&) {}

void do_commit(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.finish_speculation(static_cast<uint32_t>(integer(sample, plan, 0)), true);
}

void do_discard(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.finish_speculation(static_cast<uint32_t>(integer(sample, plan, 0)), false);
}

// The handlers, under the names that builtins.def uses. Each handler consists of the function that handles a record of
// the action, and of the minimum numbers of data and of aggregations in such a record. `run_nothing` handles the
// actions that the BPF program has already completed (raise(), copyout(), …); it has no function.
constexpr ActionHandler run_nothing{};
constexpr ActionHandler run_value{do_value, 1, 0, false, Cells::Datum};
constexpr ActionHandler run_printf{do_printf, 0, 0, false, Cells::Arguments};
constexpr ActionHandler run_tracemem{do_tracemem, 1, 0, false, Cells::Memory};
constexpr ActionHandler run_print{do_print, 1, 0, false, Cells::Object};
constexpr ActionHandler run_pcap{do_pcap, 4, 0, false, Cells::Packet};
constexpr ActionHandler run_stack{do_stack, 1, 0, false, Cells::Datum};
constexpr ActionHandler run_symbol{do_symbol, 1, 0, false, Cells::Datum};
constexpr ActionHandler run_printa{do_printa, 0, 1};
constexpr ActionHandler run_clear{do_clear, 0, 1};
constexpr ActionHandler run_trunc{do_trunc, 0, 1};
constexpr ActionHandler run_normalize{do_normalize, 1, 1};
constexpr ActionHandler run_denormalize{do_denormalize, 0, 1};
constexpr ActionHandler run_setopt{do_setopt, 0, 0};
constexpr ActionHandler run_system{do_system, 0, 0};
constexpr ActionHandler run_freopen{do_freopen, 0, 0};
constexpr ActionHandler run_ftruncate{do_ftruncate, 0, 0};
constexpr ActionHandler run_freeze{do_freeze, 0, 0};
constexpr ActionHandler run_commit{do_commit, 1, 0, true};
constexpr ActionHandler run_discard{do_discard, 1, 0, true};

constexpr ActionHandler kHandlers[] = {
#define DT_ACTION(name, prototype, since, flags, check, lower, run) run,
#include "dcompiler/sema/program/builtins.def"
};

} // namespace

const ActionHandler& handler(const Action& action)
{
    return kHandlers[action.index];
}

bool shows_types(const Schema& schema)
{
    const auto shows = [](const Record& record) { return record.action && handler(*record.action).run == do_print; };
    return std::any_of(schema.statements.begin(), schema.statements.end(), [&](const StatementSchema& statement) {
        return std::any_of(statement.records.begin(), statement.records.end(), shows);
    });
}

} // namespace dt::consume

// Runs the commands of system(). system(3) is not used, because it ignores SIGINT while a command runs, and the user's
// ^C would not end the run.

namespace dt {

Result<int> run_system_command(const std::string& command, int output)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&files);
    sigset_t none;
    sigemptyset(&none);
    // The command must not inherit the signal mask of the run's thread, which blocks the signals that end a run.
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (output != STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    const char* const arguments[] = {"sh", "-c", command.c_str(), nullptr};
    pid_t pid = -1;
    const int error = posix_spawn(&pid, "/bin/sh", &files, &attributes, const_cast<char* const*>(arguments), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        return Error{std::strerror(error), error};
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

} // namespace dt

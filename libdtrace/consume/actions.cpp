#include "libdtrace/consume/actions.hpp"

#include <algorithm>
#include <unistd.h>

#include "libdtrace/session/shell.hpp"

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
    plan.format.append(text, decoder.env, sample.data);
    return std::string(text.view());
}

// ---- values ---------------------------------------------------------------------------------------------------------

void run_value(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.sink.value(plan.record->data[0], sample.data);
}

void run_stack(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.sink.stack(plan.record->data[0], sample.data);
}

void run_symbol(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.sink.symbol(plan.record->data[0], sample.data);
}

void run_printf(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.sink.formatted(plan.format, sample.data);
}

// tracemem(address, n [, d]): d in 0..n-1 shows only so many bytes.
void run_tracemem(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    auto shown = bytes(sample, plan.record->data[0]);
    if (plan.record->data.size() > 1) {
        const int64_t limit = integer(sample, plan, 1);
        if (limit >= 0 && static_cast<uint64_t>(limit) < shown.size())
            shown = shown.first(static_cast<std::size_t>(limit));
    }
    decoder.sink.memory(shown);
}

void run_print(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    const Datum &pointer = plan.record->data[0], &object = plan.record->data[1];
    const Type* type = object.type;
    if (!type && pointer.type && pointer.type->is_pointer())
        type = pointer.type->resolve()->target;
    const auto recorded = bytes(sample, object);
    decoder.sink.object(static_cast<uint64_t>(integer(sample, plan, 0)), type,
                        recorded.first(std::min<std::size_t>(recorded.size(), decoder.options.printsize)));
}

// Four data: time, captured length, protocol, bytes.
void run_pcap(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    const auto packet = bytes(sample, plan.record->data[3]);
    const auto length = static_cast<uint64_t>(std::max<int64_t>(integer(sample, plan, 1), 0));
    decoder.sink.packet({static_cast<uint64_t>(integer(sample, plan, 0)), static_cast<uint32_t>(integer(sample, plan, 2)),
                         packet.first(std::min<std::size_t>(length, packet.size()))});
}

// ---- aggregations ---------------------------------------------------------------------------------------------------

void run_printa(Decoder& decoder, const Sample&, const RecordPlan& plan)
{
    decoder.note_failure(decoder.aggregations.print(decoder.sink, plan.record->aggregations,
                                                    plan.record->has_format ? &plan.formats : nullptr));
}

void run_clear(Decoder& decoder, const Sample&, const RecordPlan& plan)
{
    decoder.note_failure(decoder.aggregations.clear(plan.record->aggregations[0]));
}

void run_trunc(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    const int64_t keep = plan.record->data.empty() ? 0 : integer(sample, plan, 0);
    decoder.note_failure(decoder.aggregations.truncate(plan.record->aggregations[0], keep));
}

void run_normalize(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.aggregations.normalize(plan.record->aggregations[0], integer(sample, plan, 0));
}

void run_denormalize(Decoder& decoder, const Sample&, const RecordPlan& plan)
{
    decoder.aggregations.normalize(plan.record->aggregations[0], 1);
}

// ---- the run and its output stream ----------------------------------------------------------------------------------

void run_setopt(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    std::vector<std::string> texts = plan.record->texts;
    for (const Datum& datum : plan.record->data)
        texts.emplace_back(format::load_characters(decoder.env, datum, sample.data));
    if (texts.empty())
        return;
    const std::string value = texts.size() > 1 ? texts[1] : "1";
    const Result<void> set = decoder.options.set(texts[0], value, OptionSource::Setopt);
    if (!set)
        decoder.say_error(sample, "couldn't set option \"" + texts[0] + "\" to \"" + value + "\": " + set.error().message + "\n");
}

void run_system(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    std::string command = formatted(decoder, sample, plan);
    command.resize(std::min<std::size_t>(command.size(), decoder.options.strsize));
    decoder.output.send();
    // What a program is to read is no place for a command's text.
    const bool is_text = decoder.options.format == OutputFormat::Text;
    if (!run_in_shell(command, is_text ? STDOUT_FILENO : STDERR_FILENO))
        decoder.say_error(sample, "couldn't run system() command");
}

void run_freopen(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    const std::string path = formatted(decoder, sample, plan);
    if (const Result<void> opened = decoder.output.redirect(path); !opened)
        decoder.say_error(sample, "couldn't freopen() \"" + path + "\": " + opened.error().message);
}

void run_ftruncate(Decoder& decoder, const Sample&, const RecordPlan&)
{
    decoder.output.truncate();
}

void run_commit(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.finish_speculation(static_cast<uint32_t>(integer(sample, plan, 0)), true);
}

void run_discard(Decoder& decoder, const Sample& sample, const RecordPlan& plan)
{
    decoder.finish_speculation(static_cast<uint32_t>(integer(sample, plan, 0)), false);
}

constexpr ActionHandler kHandlers[] = {
    // name           function         data  aggregations
    {"trace",         run_value,       1,    0},
    {"printf",        run_printf,      0,    0},
    {"tracemem",      run_tracemem,    1,    0},
    {"print",         run_print,       2,    0},
    {"pcap",          run_pcap,        4,    0},
    {"stack",         run_stack,       1,    0},
    {"ustack",        run_stack,       1,    0},
    {"jstack",        run_stack,       1,    0},
    {"sym",           run_symbol,      1,    0},
    {"func",          run_symbol,      1,    0},
    {"mod",           run_symbol,      1,    0},
    {"usym",          run_symbol,      1,    0},
    {"ufunc",         run_symbol,      1,    0},
    {"umod",          run_symbol,      1,    0},
    {"uaddr",         run_symbol,      1,    0},
    {"printa",        run_printa,      0,    1},
    {"clear",         run_clear,       0,    1},
    {"trunc",         run_trunc,       0,    1},
    {"normalize",     run_normalize,   1,    1},
    {"denormalize",   run_denormalize, 0,    1},
    {"setopt",        run_setopt,      0,    0},
    {"system",        run_system,      0,    0},
    {"freopen",       run_freopen,     0,    0},
    {"ftruncate",     run_ftruncate,   0,    0},
    {"commit",        run_commit,      1,    0, true},
    {"discard",       run_discard,     1,    0, true},
};

} // namespace

const ActionHandler* find_handler(std::string_view action)
{
    const auto* found = std::find_if(std::begin(kHandlers), std::end(kHandlers),
                                     [&](const ActionHandler& handler) { return handler.name == action; });
    return found != std::end(kHandlers) ? found : nullptr;
}

} // namespace dt::consume

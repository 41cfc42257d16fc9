// Serializes a compiled program. Several pointers may have the same target (a probe, source text or attach plan). The
// target is written at its first use and gets the next index in a table; later uses contain only the index.
#include "dcompiler/object/packed.hpp"

#include <algorithm>

namespace dt {
namespace {

/// Depth limit for attach plans and locations that contain others, because invalid input could nest them without end.
constexpr unsigned kDeepest = 16;

template <typename T> struct NumberedPointers {
    std::map<const T*, uint64_t> numbers;
};

class PackWriter : public archive::Writer {
public:
    /// Writes the index of a pointer's target in its table. Returns true if this is the first use, so that the target
    /// itself must be written now.
    template <typename T> bool is_new(NumberedPointers<T>& table, const T* pointer)
    {
        if (!pointer) {
            number(0);
            return false;
        }
        const auto [entry, added] = table.numbers.emplace(pointer, table.numbers.size() + 1);
        number(entry->second);
        return added;
    }

    NumberedPointers<Probe> probes;
    NumberedPointers<Source> sources;
    NumberedPointers<AttachPlan> plans;
    NumberedPointers<std::string> files;
    unsigned depth = 0;
};

class PackReader : public archive::Reader {
public:
    PackReader(std::string_view bytes, PackedProgram& into) : Reader(bytes), packed(into) {}

    /// Reads an index into a table with `size` entries; returns nothing for a null pointer. If the index equals `size`,
    /// a new entry follows.
    std::optional<std::size_t> member(std::size_t size)
    {
        const uint64_t read = number();
        if (read > size + 1)
            fail();
        return good() && read != 0 ? std::optional<std::size_t>(read - 1) : std::nullopt;
    }

    PackedProgram& packed;
    std::vector<std::shared_ptr<const AttachPlan>> plans;
    std::vector<const std::string*> files;
    unsigned depth = 0;
};

using archive::all;
using archive::choice;

// ---- serialization of shared targets of pointers ------------------------------------------------------------------

template <typename A> void fields(A& archive, Probe& it)
{
    all(archive, it.id, it.provider, it.module, it.function, it.name, it.enters_kernel);
}

template <typename A> void fields(A& archive, Source& it)
{
    choice(archive, it.kind, Source::Kind::Library);
    all(archive, it.name, it.text);
}

template <typename A, typename T, typename Table, typename Numbers>
void pointer(A& archive, const T*& it, Numbers& numbers, Table& table)
{
    if constexpr (A::kReads) {
        const auto place = archive.member(table.size());
        if (place && *place == table.size())
            fields(archive, table.emplace_back());
        it = place && archive.good() ? &table[*place] : nullptr;
    } else if (archive.is_new(numbers, it)) {
        // const_cast is safe, because an archive does not change what it writes
        fields(archive, const_cast<T&>(*it));
    }
}

void probe(PackWriter& archive, const Probe*& it)
{
    pointer(archive, it, archive.probes, archive.probes);
}
void probe(PackReader& archive, const Probe*& it)
{
    pointer(archive, it, archive.packed.probes, archive.packed.probes);
}
void source(PackWriter& archive, const Source*& it)
{
    pointer(archive, it, archive.sources, archive.sources);
}
void source(PackReader& archive, const Source*& it)
{
    pointer(archive, it, archive.packed.sources, archive.packed.sources);
}

void file(PackWriter& archive, const Source*, const std::string*& it)
{
    if (archive.is_new(archive.files, it))
        archive.text(*it);
}
void file(PackReader& archive, const Source* of, const std::string*& it)
{
    const auto place = archive.member(archive.files.size());
    if (place && *place == archive.files.size()) {
        if (!of)
            return archive.fail();
        archive.files.push_back(&of->files.emplace_back(archive.text()));
    }
    it = place && archive.good() ? archive.files[*place] : nullptr;
}

/// Reads or writes a pointer to an entry in a table of built-ins. The serialized form is the name of the built-in.
template <typename A, typename T, typename Find> void entry_of(A& archive, const T*& it, Find find)
{
    std::string name = it ? std::string(it->name) : std::string();
    all(archive, name);
    if constexpr (A::kReads) {
        it = name.empty() ? nullptr : find(name);
        if (!it && !name.empty())
            archive.fail();
    }
}

template <typename A> void fields(A& archive, Span& it)
{
    source(archive, it.source);
    file(archive, it.source, it.file);
    all(archive, it.offset, it.length, it.line, it.column);
    if constexpr (A::kReads)
        if (it.source && (it.offset > it.source->text.size() || it.length > it.source->text.size() - it.offset))
            archive.fail();
}

// ---- serialization of attach plans --------------------------------------------------------------------------------

template <typename A> bool descend(A& archive)
{
    if constexpr (A::kReads)
        if (archive.depth >= kDeepest)
            archive.fail();
    return archive.good() && ++archive.depth != 0;
}

template <typename A> void fields(A& archive, Location& it)
{
    choice(archive, it.kind, Location::Kind::Elapsed);
    if (it.kind == Location::Kind::Zero || !descend(archive))
        return;
    all(archive, it.index, it.offset, it.size, it.is_signed, it.scale, it.scaled, it.of);
    --archive.depth;
}

template <typename A> void fields(A& archive, AttachTarget& it)
{
    // the next line fails to compile after a member was added; then add it to the list below as well
    [[maybe_unused]] auto& [m0, m1, m2, m3, m4, m5, m6] = it;
    all(archive, it.where, it.cookie, it.address, it.counter, it.process, it.type);
    probe(archive, it.probe);
}

template <typename A> void fields(A& archive, Condition& it)
{
    all(archive, it.left, it.values, it.right);
    choice(archive, it.relation, Condition::Relation::OneOf);
}

template <typename A> void fields(A& archive, PlannedProbe& it)
{
    probe(archive, it.probe);
    all(archive, it.selector, it.process);
}

template <typename A> void fields(A& archive, PerProcessSelector& it)
{
    all(archive, it.common_selector, it.process, it.selector);
}

template <typename A> void fields(A& archive, ReturnProbeRange& it)
{
    probe(archive, it.probe);
    all(archive, it.process, it.mapped_in, it.file, it.start, it.end);
}

template <typename A> void fields(A& archive, CompatSyscalls& it)
{
    all(archive, it.native_test, it.compat_flag, it.bit, it.selectors);
}

void shared_plan(PackWriter& archive, std::shared_ptr<const AttachPlan>& it);
void shared_plan(PackReader& archive, std::shared_ptr<const AttachPlan>& it);

template <typename A> void fields(A& archive, AttachPlan& it)
{
    [[maybe_unused]] auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19,
                            // the next line fails to compile if the structure gets a new member
                            m20, m21, m22, m23, m24, m25, m26, m27, m28] = it;
    // the member `variables` is omitted, because only the compiler uses it
    constexpr auto kLastKind = static_cast<ProgramKind>(kProgramKinds - 1);
    choice(archive, it.kind, kLastKind);
    choice(archive, it.process_scope, ProcessScope::Tree);
    all(archive, it.targets, it.probes, it.selector, it.selector_bound, it.compat_syscalls, it.per_process_selectors,
        it.everywhere, it.arguments, it.return_value, it.conditions, it.key, it.return_probe_ranges, it.alternatives,
        it.overrides, it.at_entry, it.single_steps, it.is_asynchronous, it.period, it.counts_runs, it.has_link,
        it.kfuncs_take_context, it.needs_event, it.has_fallback);
    for (auto* other : {&it.start_hook, &it.is_enabled_probe, &it.unwinder})
        shared_plan(archive, *other);
}

void shared_plan(PackWriter& archive, std::shared_ptr<const AttachPlan>& it)
{
    if (archive.is_new(archive.plans, it.get()))
        // const_cast is safe, because an archive does not change what it writes
        fields(archive, const_cast<AttachPlan&>(*it));
}

void shared_plan(PackReader& archive, std::shared_ptr<const AttachPlan>& it)
{
    const auto place = archive.member(archive.plans.size());
    if (!place)
        return;
    if (*place < archive.plans.size()) {
        it = archive.plans[*place];
        return;
    }
    if (!descend(archive))
        return;
    const auto made = std::make_shared<AttachPlan>();
    archive.plans.push_back(made);
    fields(archive, *made);
    --archive.depth;
    const bool is_empty = made->targets.empty() && made->kind_info().is_program();
    const auto is_nobody = [](const PlannedProbe& each) { return !each.probe; };
    if (is_empty || std::any_of(made->probes.begin(), made->probes.end(), is_nobody))
        return archive.fail();
    it = made;
}

// ---- serialization of the schema ----------------------------------------------------------------------------------

template <typename A> void fields(A& archive, Datum& it)
{
    // the next line fails to compile after a member was added; then add it to the list below as well
    [[maybe_unused]] auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8] = it;
    choice(archive, it.kind, Datum::Kind::Converted);
    choice(archive, it.address, Datum::Address::Exact);
    choice(archive, it.part, Datum::Part::PodNamespace);
    choice(archive, it.conversion, Datum::Conversion::Enumerator);
    all(archive, it.offset, it.size, it.constant, it.limit);
}

template <typename A> void fields(A& archive, Record& it)
{
    // the next line fails to compile after a member was added; then add it to the list below as well
    [[maybe_unused]] auto& [m0, m1, m2, m3, m4, m5, m6] = it;
    entry_of(archive, it.action, find_action);
    all(archive, it.data, it.format, it.has_format, it.aggregations, it.guard, it.texts);
}

template <typename A> void fields(A& archive, StatementSchema& it)
{
    // the next line fails to compile after a member was added; then add it to the list below as well
    [[maybe_unused]] auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8] = it;
    all(archive, it.id, it.clause, it.data_size, it.guard_offset, it.thread_offset, it.prints_line, it.speculative,
        it.records, it.code_of);
}

template <typename A> void fields(A& archive, Metric::Range& it)
{
    all(archive, it.low, it.high);
}

template <typename A> void fields(A& archive, Metric& it)
{
    choice(archive, it.type, Metric::Type::Gauge);
    all(archive, it.name, it.unit, it.decimals, it.help, it.labels, it.range, it.is_signed);
}

template <typename A> void fields(A& archive, AggregationSchema& it)
{
    // The next line fails to compile after a member was added; then add it to the list below as well.
    [[maybe_unused]] auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = it;
    entry_of(archive, it.function, find_agg_function);
    all(archive, it.id, it.name, it.parameters, it.keys, it.key_size, it.words, it.map, it.shared, it.digested,
        it.short_keys_map, it.short_key_size, it.overflow_map, it.offset, it.may_be_estimated, it.weighted_by,
        it.metric);
}

template <typename A> void fields(A& archive, ProgramPlan& it)
{
    // The next line fails to compile after a member was added; then add it to the list below as well.
    [[maybe_unused]] auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = it;
    shared_plan(archive, it.plan);
    all(archive, it.name, it.probes, it.is_helper, it.tick, it.first_counted, it.may_sample, it.keeps_state, it.pairs,
        it.first_function, it.end_function, it.clause_functions);
    if constexpr (A::kReads)
        if (!it.plan)
            archive.fail();
}

template <typename A> void fields(A& archive, FaultPlace& it)
{
    [[maybe_unused]] auto& [m0, m1, m2, m3] = it; // this binding fails to compile if the structure gets a new member
    all(archive, it.function, it.statement, it.pc, it.at);
}

template <typename A> void fields(A& archive, RestorableGlobal& it)
{
    [[maybe_unused]] auto& [m0, m1, m2] = it; // this binding fails to compile if the structure gets a new member
    all(archive, it.name, it.type, it.is_scratch);
}

template <typename A> void hook_kind(A& archive, HookKind& it)
{
    constexpr auto kLastKind = static_cast<ProgramKind>(kProgramKinds - 1);
    choice(archive, it.kind, kLastKind);
    choice(archive, it.way, HookKind::Path::SingleStep);
}

template <typename A> void fields(A& archive, CountedProbe& it)
{
    // the next line fails to compile after a member was added; then add it to the list below as well
    [[maybe_unused]] auto& [m0, m1, m2, m3, m4] = it;
    hook_kind(archive, it.hook);
    all(archive, it.probe, it.statements, it.continues, it.timing_switch);
}

template <typename A> void fields(A& archive, CountedOthers& it)
{
    [[maybe_unused]] auto& [m0, m1] = it; // this binding fails to compile if the structure gets a new member
    hook_kind(archive, it.hook);
    all(archive, it.timing_switch);
}

template <typename A> void fields(A& archive, Schema& it)
{
    // The next line fails to compile after a member was added; then add it to the list below as well.
    [[maybe_unused]] auto& [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17] = it;
    all(archive, it.statements, it.aggregations, it.names, it.program_digest, it.programs, it.faults, it.globals,
        it.counted, it.others, it.hit_sets, it.clause_hit_sets, it.cost_sets, it.sampling_sets, it.error_functions,
        it.largest_sample, it.scratch_size, it.destructive, it.kernel_stacks);
}

// ---- serialization of the whole program ---------------------------------------------------------------------------

std::string_view name_of_built_in(const std::string& name)
{
    const Action* const action = find_action(name);
    const Subroutine* const subroutine = find_subroutine(name);
    return action ? action->name : subroutine ? subroutine->name : std::string_view();
}

template <typename A> void fields(A& archive, Statement& it)
{
    uint64_t probes = it.probes.size();
    std::string destructive(it.destructive_name);
    all(archive, it.id, it.at, it.description, it.records, it.speculates, it.destructive, it.overrides, it.program,
        destructive, probes);
    if constexpr (A::kReads)
        it.destructive_name = name_of_built_in(destructive);
    for (uint64_t i = 0; i < probes && archive.good(); ++i) {
        if constexpr (A::kReads)
            it.probes.push_back(nullptr);
        probe(archive, it.probes[i]);
        if constexpr (A::kReads)
            if (!it.probes[i])
                archive.fail();
    }
}

template <typename A> void pragmas(A& archive, Program& it)
{
    uint64_t count = it.pragmas.size();
    all(archive, count);
    for (uint64_t i = 0; i < count && archive.good(); ++i) {
        if constexpr (A::kReads)
            it.pragmas.emplace_back();
        all(archive, it.pragmas[i].first, it.pragmas[i].second);
    }
}

template <typename A> void statements(A& archive, Program& it)
{
    uint64_t count = it.statements.size();
    all(archive, count);
    for (uint64_t i = 0; i < count && archive.good(); ++i) {
        if constexpr (A::kReads)
            it.statements.emplace_back();
        fields(archive, it.statements[i]);
    }
}

// ---- consistency checks of an unpacked program --------------------------------------------------------------------

bool is_within(int64_t offset, uint64_t size, uint64_t all)
{
    return offset >= 0 && size <= all && static_cast<uint64_t>(offset) <= all - size;
}

bool are_within(const std::vector<Datum>& data, uint64_t size)
{
    return std::all_of(data.begin(), data.end(),
                       [size](const Datum& each) { return is_within(each.offset, each.size, size); });
}

bool fits(const Record& record, const StatementSchema& statement, const Schema& schema)
{
    constexpr int kGuards = 64;
    const auto is_one = [&](uint32_t id) { return id < schema.aggregations.size(); };
    return are_within(record.data, statement.data_size) && record.guard < kGuards &&
           (record.guard < 0 || statement.guard_offset >= 0) &&
           std::all_of(record.aggregations.begin(), record.aggregations.end(), is_one);
}

bool fits(const StatementSchema& it, const Schema& schema)
{
    return (it.guard_offset < 0 || is_within(it.guard_offset, sizeof(uint64_t), it.data_size)) &&
           (it.thread_offset < 0 || is_within(it.thread_offset, sizeof(RecordedThread), it.data_size)) &&
           std::all_of(it.code_of.begin(), it.code_of.end(),
                       [&](uint32_t id) { return id < schema.statements.size(); }) &&
           std::all_of(it.records.begin(), it.records.end(),
                       [&](const Record& record) { return fits(record, it, schema); });
}

bool fits(const AggregationSchema& it)
{
    constexpr uint32_t kMaxWords = 1 << 20;
    return it.function && it.words > 0 && it.words <= kMaxWords && are_within(it.keys, it.key_size) &&
           it.short_key_size <= it.key_size && it.keys.empty() == (it.key_size == 0);
}

bool fits(const Schema& it, const Program& program)
{
    const auto is_statement = [&](uint32_t id) { return id < it.statements.size(); };
    bool good = program.statements.size() == it.statements.size();
    for (uint32_t i = 0; i < it.statements.size() && good; ++i)
        good = it.statements[i].id == i && program.statements[i].id == i && fits(it.statements[i], it);
    for (uint32_t i = 0; i < it.aggregations.size() && good; ++i)
        good = it.aggregations[i].id == i && fits(it.aggregations[i]);
    for (const FaultPlace& each : it.faults)
        good = good && is_statement(each.statement);
    for (const CountedProbe& each : it.counted)
        good = good && std::all_of(each.statements.begin(), each.statements.end(), is_statement);
    return good;
}

} // namespace

std::string pack(const Object& object, const Program& program)
{
    PackWriter writer;
    // const_cast is safe, because an archive does not change what it writes
    fields(writer, const_cast<Schema&>(object.schema));
    statements(writer, const_cast<Program&>(program));
    pragmas(writer, const_cast<Program&>(program));
    writer.text({reinterpret_cast<const char*>(object.elf.data()), object.elf.size()});
    return writer.bytes();
}

Result<std::unique_ptr<PackedProgram>> unpack(std::string_view bytes)
{
    auto packed = std::make_unique<PackedProgram>();
    PackReader reader(bytes, *packed);
    fields(reader, packed->object.schema);
    statements(reader, packed->program);
    pragmas(reader, packed->program);
    const std::string_view elf = reader.text();
    packed->object.elf.assign(elf.begin(), elf.end());
    packed->program.types = std::make_shared<TypeTable>();
    if (!reader.good() || !reader.at_end() || elf.empty() || !fits(packed->object.schema, packed->program))
        return Error{"its compiled program is damaged: create the file again"};
    return packed;
}

} // namespace dt

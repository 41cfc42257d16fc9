// Computes the layout of a program's data by one walk over the program.
#include "dcompiler/lower/core/layout.hpp"

#include <algorithm>
#include <bit>

#include "bpf-runtime/accounting/account.h"
#include "dcompiler/lower/core/context.hpp"
#include "dcompiler/lower/core/hooks.hpp"

namespace dt::lower {

/// Kernels without fetching atomics (before Linux 5.12) also let fentry and fexit programs interrupt themselves: 5.12
/// introduced both the atomics and the protection of such programs.
bool interrupts_itself(const ModuleState& module, const AttachPlan& plan)
{
    const ProgramKindInfo& kind = plan.kind_info();
    return kind.interruptible || (kind.preemptible && !module.world.features().fetching_atomics);
}

namespace {

// Maximum bytes of scalar this-> variables in the frame on the BPF stack; further ones are in the scratch slot.
constexpr uint32_t kMaxThisOnStack = 96;
// Maximum bytes that all clauses of a firing together may get from alloca() and copyin(). If the limit of a single
// clause (option scratchsize) is larger, that limit applies.
constexpr uint32_t kMaxArea = 8 << 20;
constexpr uint64_t kMaxVariable = 64 << 20;
// Maximum size in bytes of a key, even if a digest replaces it. For a key of this size, the computation of the digest
// takes half of the instructions that the verifier accepts.
constexpr uint32_t kMaxDigestedKey = 256 << 10;
constexpr std::size_t kMaxFamilies = 1 << DT_FAMILY_BITS;

uint32_t words_of(const Aggregation& aggregation)
{
    const auto& p = aggregation.parameters;
    switch (aggregation.function->kind) {
    case AggKind::Avg:
        return DT_AVG_WORDS;
    case AggKind::Stddev:
        return DT_STDDEV_WORDS;
    case AggKind::Breakdown:
        return DT_PARTS;
    case AggKind::Quantize:
        return DT_QUANTIZE_BUCKETS;
    case AggKind::Lquantize:
        return static_cast<uint32_t>((p[1] - p[0]) / p[2] + 2);
    case AggKind::Llquantize: {
        const int64_t per = p[3] - p[3] / p[0];
        return static_cast<uint32_t>(2 * (p[2] - p[1] + 1) * per + 3);
    }
    case AggKind::Hquantize:
        return static_cast<uint32_t>(DT_HQUANTIZE_WORDS(p[0]));
    case AggKind::Tseries:
        return static_cast<uint32_t>(p[1]) *
               DT_TSERIES_SLOT_WORDS(static_cast<AggKind>(p[2]) == AggKind::Avg ? DT_AVG_WORDS : 1);
    default:
        return 1;
    }
}

/// Returns whether the expression's values are so small that a 64-bit sum of them overflows only after 2^47 additions.
/// A CPU would need months for so many additions.
bool is_small(const TExpr& e)
{
    constexpr int64_t kMax = 1 << 16;
    const Type* real = e.type->resolve();
    return e.op == TOp::Integer ? e.value >= -kMax && e.value <= kMax : real->is_integer() && real->size <= 2;
}

/// Most values of a long datum, such as a string, need only a part of its bytes. Returns the size of this part; the
/// remaining bytes are zero. Returns 0 if the datum is short or not padded with zeros.
uint32_t usual_size(const Datum& datum)
{
    constexpr uint32_t kUsualText = 64, kUsualFrames = 12 * 8, kWorthIt = 64;
    const uint32_t usual = datum.kind == Datum::Kind::Text        ? kUsualText
                           : datum.kind == Datum::Kind::Stack     ? kUsualFrames
                           : datum.kind == Datum::Kind::UserStack ? 8 + kUsualFrames
                                                                  : 0;
    return usual != 0 && datum.size >= usual + kWorthIt ? usual : 0;
}

} // namespace

Datum datum_of(const Type* type, uint32_t offset, uint32_t size)
{
    Datum datum;
    datum.offset = offset;
    datum.size = size;
    datum.type = type;
    const Type* real = type->resolve();
    switch (real->kind) {
    case TypeKind::Integer:
    case TypeKind::Enum:
        datum.kind = is_signed(real) ? Datum::Kind::Signed : Datum::Kind::Unsigned;
        break;
    case TypeKind::Pointer:
    case TypeKind::Function:
        datum.kind = Datum::Kind::Unsigned;
        break;
    case TypeKind::String:
        datum.kind = Datum::Kind::Text;
        break;
    case TypeKind::Stack:
        datum.kind = Datum::Kind::UserStack;
        break;
    default:
        datum.kind = Datum::Kind::Bytes;
        break;
    }
    return datum;
}

Layout::Layout(ModuleState& module) : module_(module)
{
    find_nullable_globals();
    find_shared();
    find_deepest_stack();
    find_key_forms();
    lay_out_variables();
    lay_out_scratch();
    share_maps();
    lay_out_aggregations();
}

/// Returns the number (name id) by which records refer to a name. The name is truncated to strsize like every string;
/// names that are then equal have the same id.
uint32_t Layout::name_id(const std::string& whole)
{
    return id_of(whole.substr(0, module_.options.strsize));
}

/// Returns the number (name id) of a name, without truncation to strsize.
uint32_t Layout::id_of(const std::string& whole)
{
    auto& names = module_.out.schema.names;
    const auto [id, is_new] = names_.add(whole, names);
    if (is_new)
        names.push_back(whole);
    return id;
}

namespace {

Datum::Part group_part_of(VariableRole role)
{
    switch (role) {
    case VariableRole::ContainerId:
        return Datum::Part::ContainerId;
    case VariableRole::ContainerName:
        return Datum::Part::ContainerName;
    case VariableRole::PodName:
        return Datum::Part::PodName;
    case VariableRole::PodNamespace:
        return Datum::Part::PodNamespace;
    default:
        return Datum::Part::Unit;
    }
}

Datum::Conversion conversion_of(const Subroutine& subroutine)
{
    return subroutine.has(kUserText)    ? Datum::Conversion::User
           : subroutine.has(kGroupText) ? Datum::Conversion::Group
           : subroutine.has(kEnumText)  ? Datum::Conversion::Enumerator
                                        : Datum::Conversion::Time;
}

} // namespace

Datum Layout::recorded_datum(const RecordedText& text)
{
    Datum datum;
    datum.size = 8;
    if (text.variable) {
        datum.kind = Datum::Kind::Cgroup;
        datum.part = group_part_of(text.variable->role);
        return datum;
    }
    datum.kind = Datum::Kind::Converted;
    datum.conversion = conversion_of(*text.subroutine);
    if (!text.constant.empty())
        datum.constant = id_of(text.constant);
    return datum;
}

std::array<uint32_t, 4> Layout::name_ids(const Probe& probe)
{
    const std::string* const parts[] = {&probe.provider, &probe.module, &probe.function, &probe.name};
    std::array<uint32_t, 4> ids{};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto& [last, id] = last_names_[i];
        if (last.empty() || last != *parts[i]) {
            last = *parts[i];
            id = name_id(last);
        }
        ids[i] = id;
    }
    return ids;
}

uint32_t Layout::this_words(std::optional<uint32_t>& place, uint32_t count)
{
    if (!place)
        place = std::exchange(this_stack_, this_stack_ + 8 * count);
    return *place;
}

uint32_t Layout::span_words()
{
    return this_words(span_words_, SpanWords::kCount);
}

bool Layout::may_be_null(const TExpr& e) const
{
    switch (e.op) {
    case TOp::Integer: // an integer constant with the type string is the constant NULL
        return true;
    case TOp::Variable:
        return !e.kids.empty() || e.variable->scope != Scope::Global || nullable(*e.variable);
    case TOp::Call:
        return e.subroutine->has(kMayBeNull);
    case TOp::Conditional:
        return may_be_null(*e.kids[1]) || may_be_null(*e.kids[2]);
    case TOp::Comma:
    case TOp::Assign:
        return may_be_null(*e.kids[1]);
    default:
        return false;
    }
}

/// Finds the global strings that may be NULL. Global strings start as "", so only those to which NULL may be assigned
/// need a presence word (a word that distinguishes NULL from "").
void Layout::find_nullable_globals()
{
    std::vector<const TExpr*> assignments;
    for (const TExpr& e : module_.program.exprs)
        if (e.op == TOp::Assign && e.type->is_string() && e.kids[0]->op == TOp::Variable && e.kids[0]->kids.empty() &&
            e.kids[0]->variable->scope == Scope::Global)
            assignments.push_back(&e);
    // A string may be assigned from another one that may be NULL, so the search repeats until it finds no more.
    for (std::size_t before = assignments.size() + 1; assignments.size() < before;) {
        before = assignments.size();
        assignments.erase(std::remove_if(assignments.begin(), assignments.end(),
                                         [this](const TExpr* e) {
                                             const bool null = may_be_null(*e->kids[1]);
                                             if (null)
                                                 nullable_globals_.insert(e->kids[0]->variable);
                                             return null;
                                         }),
                          assignments.end());
    }
}

/// Computes the size of stacks as D values: all have that of the deepest stack in the program.
void Layout::find_deepest_stack()
{
    uint32_t frames = 1;
    for (const TExpr& e : module_.program.exprs)
        if (e.op == TOp::Address && e.type && e.type->resolve()->kind == TypeKind::Stack)
            frames = std::max(frames, frames_of(module_.options, *e.action, e.kids));
    stack_size_ = 8 + frames * 8;
}

/// Collects the form of each aggregation's keys. If all uses of a key are components of the probe's name, the key is
/// stored as a 4-byte name id and not as a string. A key with stacks has space for the deepest stack() of all uses.
void Layout::find_key_forms()
{
    for (const Statement& statement : module_.program.statements) {
        std::vector<const TStmt*> work(statement.body.begin(), statement.body.end());
        while (!work.empty()) {
            const TStmt* s = work.back();
            work.pop_back();
            work.insert(work.end(), s->then.begin(), s->then.end());
            work.insert(work.end(), s->otherwise.begin(), s->otherwise.end());
            has_exit_ |= s->action && s->action->has(kExits);
            if (!s->aggregation)
                continue;
            if (!s->args.empty() && !is_small(*s->args[0]))
                large_sums_.insert(s->aggregation);
            auto& forms = key_forms_[s->aggregation];
            forms.resize(s->keys.size());
            for (std::size_t i = 0; i < s->keys.size(); ++i) {
                const TExpr& key = *s->keys[i];
                forms[i].name = forms[i].name && probe_component_index(key) >= 0;
                if (key.op != TOp::Address) {
                    forms[i].value = true;
                    continue;
                }
                if (forms[i].address) {
                    forms[i].value |= forms[i].address->action->has(kOfProcess) != key.action->has(kOfProcess);
                    forms[i].several |=
                        address_datum(*forms[i].address->action, 1).address != address_datum(*key.action, 1).address;
                }
                forms[i].address = &key;
                forms[i].frames = std::max(forms[i].frames, frames_of(module_.options, *key.action, key.kids));
                forms[i].limit = std::max(forms[i].limit, frame_limit_of(module_.options, *key.action, key.kids));
            }
        }
    }
}

Datum Layout::key_datum(const Aggregation& aggregation, std::size_t index)
{
    const Type* type = aggregation.keys[index].type;
    if (aggregation.keys[index].text)
        return recorded_datum(aggregation.keys[index].text);
    if (index >= aggregation.given_keys) {
        Datum chain;
        chain.kind = Datum::Kind::Text;
        chain.size = DT_BLAME_TEXT;
        chain.type = type;
        return chain;
    }
    const auto& forms = key_forms_[&aggregation];
    if (index < forms.size() && forms[index].name) {
        Datum datum = datum_of(type, 0, 4);
        datum.kind = Datum::Kind::Name;
        return datum;
    }
    if (index < forms.size() && forms[index].address &&
        !(forms[index].value && type->resolve()->kind == TypeKind::Stack)) {
        Datum datum = address_datum(*forms[index].address->action, forms[index].frames);
        datum.size += forms[index].several ? 8 : 0;
        datum.limit = forms[index].limit == forms[index].frames ? forms[index].limit : 0;
        return datum;
    }
    Datum datum = datum_of(type, 0, storage_size(type));
    limit(datum);
    return datum;
}

uint32_t frames_of(const CompileOptions& options, const Action& action, const std::vector<TExpr*>& args)
{
    const bool user = action.has(kOfProcess);
    uint64_t frames = user ? options.ustackframes : options.stackframes;
    if (!args.empty() && args[0]->op == TOp::Integer)
        frames = static_cast<uint64_t>(args[0]->value);
    // When the kernel walks a stack, it limits the number of frames, and maxframes defaults to that limit. Walks by
    // unwind tables have no such limit.
    const bool is_kernel_limit = options.maxframes == CompileOptions{}.maxframes;
    const uint64_t most =
        user && is_kernel_limit ? std::max<uint64_t>(options.maxframes, DT_UNWIND_FRAMES) : options.maxframes;
    return static_cast<uint32_t>(std::clamp<uint64_t>(frames, 1, std::max<uint64_t>(most, 1)));
}

uint32_t frame_limit_of(const CompileOptions& options, const Action& action, const std::vector<TExpr*>& args)
{
    const uint32_t frames = frames_of(options, action, args);
    const bool as_asked =
        !args.empty() && args[0]->op == TOp::Integer && static_cast<uint64_t>(args[0]->value) <= frames;
    return as_asked || !action.has(kStack) ? 0 : frames;
}

Datum address_datum(const Action& action, uint32_t frames)
{
    Datum datum;
    const bool user = action.has(kOfProcess);
    if (action.has(kStack)) {
        datum.kind = user ? Datum::Kind::UserStack : Datum::Kind::Stack;
        datum.size = frames * 8 + (user ? 8 : 0);
        return datum;
    }
    datum.kind = user ? Datum::Kind::UserSymbol : Datum::Kind::Symbol;
    datum.size = user ? 16 : 8;
    datum.address = action.has(kModuleOnly) ? Datum::Address::Module
                    : action.has(kExactly)  ? Datum::Address::Exact
                                            : Datum::Address::Symbol;
    return datum;
}

uint32_t Layout::storage_size(const Type* type) const
{
    const Type* real = type->resolve();
    if (real->kind == TypeKind::String)
        return real->size >= module_.options.strsize ? string_size() : align_up(static_cast<uint32_t>(real->size), 8);
    if (real->kind == TypeKind::Array && real->count == 0)
        return 8;
    if (real->kind == TypeKind::Stack)
        return stack_size_;
    // The size is limited without a message: an error was already reported for a variable that is larger.
    return static_cast<uint32_t>(std::clamp<uint64_t>(real->size, 1, kMaxVariable));
}

uint32_t Layout::tuple_size(const Variable& variable) const
{
    uint32_t size = tuple_prefix(variable);
    for (const Type* type : variable.keys)
        size += align_up(storage_size(type), 8);
    return size;
}

std::string Layout::shape_name(uint32_t key, uint32_t value)
{
    return "of_" + std::to_string(key) + "_" + std::to_string(value);
}

/// Reports a key that is too long even for a digest.
void Layout::check_digested_key(const std::string& name, Span at, uint32_t size)
{
    if (size > kMaxDigestedKey)
        module_.diagnostics.error("D_UNKNOWN", at,
                                  "the keys of " + name + " take " + std::to_string(size) +
                                      " bytes, but this kernel accepts at most " + std::to_string(kMaxDigestedKey) +
                                      " (Linux 5.11 or later accepts longer keys)",
                                  "lower option strsize, or use fewer strings");
}

void Layout::lay_out_variables()
{
    const uint32_t most_on_stack = module_.stack_use == StackUse::Compact ? 0 : kMaxThisOnStack;
    for (const Variable& variable : module_.program.variables) {
        if (variable.type && variable.type->resolve()->size > kMaxVariable)
            module_.diagnostics.error("D_UNKNOWN", variable.at,
                                      variable.name + " takes " + std::to_string(variable.type->resolve()->size) +
                                          " bytes of kernel memory, but the limit for a variable is " +
                                          std::to_string(kMaxVariable),
                                      "use an associative array: it only takes memory for elements that are stored");
        if (const uint32_t key = variable.keys.empty() ? 0 : tuple_size(variable); needs_digest(key))
            check_digested_key(variable.name, variable.at, key);
        if (!variable.keys.empty() || !variable.type)
            continue;
        const bool text = variable.type->is_string();
        const uint32_t size = text ? string_size() : storage_size(variable.type);
        const uint32_t room = align_up(size, 8);
        if (variable.scope == Scope::Self) {
            if (text)
                self_size_ += 8;
            self_slots_[&variable] = {self_size_, size};
            for (uint32_t word = 0; word < (text ? 8 : room); word += 8)
                self_words_.push_back(text ? self_size_ - 8 : self_size_ + word);
            self_size_ += room;
        } else if (variable.scope == Scope::This) {
            if (text || room > 8 || this_stack_ + room > most_on_stack) {
                if (text)
                    this_scratch_ += 8; // room for the string's presence word, in which 0 means NULL
                this_slots_[&variable] = {true, this_scratch_, size};
                this_scratch_ += room;
            } else {
                this_slots_[&variable] = {false, this_stack_, size};
                this_stack_ += room;
            }
        }
    }
    if (module_.options.counts_hits())
        this_words(outcome_word_, 1);
    if (module_.options.times_hits())
        this_words(cost_words_, sizeof(dt_timed_hit) / 8);
    if (module_.options.maxcost == 0)
        return;
    this_words(weight_word_, 1);
    if (self_size_ > 0) {
        self_mark_ = self_size_;
        self_marks_ = static_cast<uint32_t>(std::bit_ceil(std::min<std::size_t>(self_slots_.size(), kMaxFamilies)));
        self_size_ += 8 * self_marks_;
    }
}

/// Records that the program takes a pointer to a D array or to one of its elements.
void Layout::note_alias(const TExpr& e)
{
    const TExpr* root = e.kids[0];
    while (root->op == TOp::Member || root->op == TOp::Index)
        root = root->kids[0];
    if (root->op != TOp::Variable)
        return;
    aliases_ = true;
    if (root->kids.empty() &&
        std::find(aliased_arrays_.begin(), aliased_arrays_.end(), root->variable) == aliased_arrays_.end())
        aliased_arrays_.push_back(root->variable);
}

/// Returns the bytes that one run of the statement can get from alloca() and copyin().
uint32_t Layout::area_taken(const Statement& statement) const
{
    uint64_t taken = 0, gaps = 0;
    std::vector<const TExpr*> work{statement.predicate};
    std::vector<const TStmt*> statements(statement.body.begin(), statement.body.end());
    while (!statements.empty()) {
        const TStmt* s = statements.back();
        statements.pop_back();
        for (const auto* nested : {&s->then, &s->otherwise})
            statements.insert(statements.end(), nested->begin(), nested->end());
        work.push_back(s->expr);
        for (const auto* list : {&s->args, &s->keys})
            work.insert(work.end(), list->begin(), list->end());
    }
    while (!work.empty()) {
        const TExpr* e = work.back();
        work.pop_back();
        if (!e)
            continue;
        work.insert(work.end(), e->kids.begin(), e->kids.end());
        if (e->op != TOp::Call || !e->subroutine->has(kGivesScratch))
            continue;
        const TExpr& size = *e->kids.back();
        const auto most = static_cast<int64_t>(area_size());
        taken += size.op == TOp::Integer ? align_up(static_cast<uint32_t>(std::clamp<int64_t>(size.value, 0, most)), 8)
                                         : area_size();
        taken = std::max<uint64_t>(taken, 8); // alloca(0) must return an address too
        gaps += kAreaGap;
    }
    return static_cast<uint32_t>(std::min<uint64_t>(taken, area_size()) + gaps);
}

/// Computes how much memory the clauses of one firing can get from alloca() and copyin() together; for ERROR,
/// separately.
void Layout::measure_areas()
{
    std::map<const Probe*, uint64_t> taken;
    for (const Statement& statement : module_.program.statements)
        if (const uint32_t bytes = area_taken(statement); bytes != 0)
            for (const Probe* probe : statement.probes)
                taken[probe] += bytes;
    for (const auto& [probe, bytes] : taken) {
        uint32_t& most = probe->id == kErrorProbe ? error_area_.most : area_.most;
        const uint32_t largest = std::max(kMaxArea, area_size() + kAreaGap);
        most = std::max(most, static_cast<uint32_t>(std::min<uint64_t>(bytes, largest)));
    }
}

/// Reserves memory in the scratch slot (memory of a firing) for the subroutines that the program calls.
void Layout::lay_out_scratch()
{
    bool tokens = false;
    for (const TExpr& e : module_.program.exprs) {
        if (e.op == TOp::AddressOf && e.scratch)
            note_alias(e);
        aliases_ |= e.op == TOp::Cast && e.scratch && e.kids[0]->type->is_string();
        tokens |= e.op == TOp::Call && e.subroutine->has(kTokens);
    }
    const auto zeroed = [this](uint32_t size) { return std::exchange(this_scratch_, this_scratch_ + size); };
    measure_areas();
    for (ScratchArea* area : {&area_, &error_area_})
        if (area->most != 0)
            area->head = zeroed(32);
    if (tokens) // zeros: strtok() has not been called in this firing
        tokens_ = zeroed(8);
    fixed_scratch_ = this_scratch_;
    if (tokens)
        fixed_scratch_ += 4 * 8 + string_size(); // for strtok(): the set of delimiters, and the string that it splits
    for (ScratchArea* area : {&area_, &error_area_})
        if (area->most != 0) {
            area->start = fixed_scratch_;
            // For the verifier, an access may have both the largest offset and the largest size, so there must be room
            // for their sum.
            fixed_scratch_ += area->most + area_size() + kAreaGap;
        }
}

/// Decides whether arrays and aggregations must share maps because the program has so many, and whether the optional
/// maps are still possible. A program may use 64 maps (the kernel's MAX_USED_MAPS), some of which serve other purposes.
void Layout::share_maps()
{
    constexpr std::size_t kMaxMaps = 44;
    std::size_t arrays = 0, keyed = 0;
    for (const Variable& variable : module_.program.variables)
        arrays += !variable.keys.empty();
    for (const Aggregation& aggregation : module_.program.aggregations)
        keyed += !aggregation.keys.empty();
    const bool is_fixed = module_.options.aggregations_are_fixed();
    grows_ = !is_fixed && arrays + 2 * keyed <= kMaxMaps;
    short_keys_ = grows_ && module_.options.aggttl == 0 && arrays + 3 * keyed <= kMaxMaps;
    shared_ = arrays + (is_fixed ? keyed : 2 * keyed) > kMaxMaps;
}

/// Computes the layout of aggregations' keys. A datum that is usually shorter than its space comes last in the key. The
/// zeros at the end of the key then need not be hashed.
void Layout::lay_out_keys(const Aggregation& aggregation, AggregationSchema& schema)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < aggregation.keys.size(); ++i) {
        schema.keys.push_back(key_datum(aggregation, i));
        order.push_back(i);
    }
    auto last = std::stable_partition(order.begin(), order.end(),
                                      [&](std::size_t i) { return usual_size(schema.keys[i]) == 0; });
    if (aggregation.has_chain()) { // blame() writes the names of the threads at the beginning of the key
        std::rotate(order.begin(), std::find(order.begin(), order.end(), aggregation.given_keys), order.end());
        last = order.end();
    }
    schema.key_size = schema.shared ? 8 : 0;
    for (const std::size_t i : order) {
        Datum& datum = schema.keys[i];
        const uint32_t natural =
            datum.kind == Datum::Kind::Text ? 8 : std::min<uint32_t>(8, std::max<uint32_t>(1, datum.size));
        datum.offset = align_up(schema.key_size, (natural & (natural - 1)) ? 8 : natural);
        schema.key_size = datum.offset + datum.size;
    }
    schema.key_size = align_up(schema.key_size, 8);
    // blame() stores its keys in a function of bpf-runtime, which does not support digests
    schema.digested = needs_digest(schema.key_size + 8) && !aggregation.has_chain();
    if (schema.digested)
        check_digested_key("@" + aggregation.name, aggregation.at, schema.key_size);
    if (!short_keys_ || last == order.end())
        return;
    const uint32_t usual = schema.keys[order.back()].offset + usual_size(schema.keys[order.back()]);
    if (!needs_digest(usual))
        schema.short_key_size = usual;
}

void Layout::lay_out_aggregations()
{
    uint32_t used = 0, pages = 1; // used bytes of the last per-CPU value, which several aggregations without keys share
    for (const Aggregation& aggregation : module_.program.aggregations) {
        AggregationSchema schema;
        schema.id = aggregation.id;
        schema.name = aggregation.name;
        schema.function = aggregation.function;
        schema.parameters = aggregation.parameters;
        schema.metric = aggregation.metric;
        // each statement that updates the aggregation had an error, so its function is unknown
        if (!aggregation.function) {
            module_.out.schema.aggregations.push_back(std::move(schema));
            continue;
        }
        schema.words = words_of(aggregation);
        schema.shared = shared_ && !aggregation.keys.empty() && !aggregation.has_chain();
        lay_out_keys(aggregation, schema);
        if (schema.key_size == 0) {
            const uint32_t size = 8 + schema.words * 8;
            const bool alone = size > kMaxPercpuValue;
            if (!alone && used + size > kMaxPercpuValue) {
                used = 0;
                ++pages;
            }
            schema.map = alone        ? "agg_" + std::to_string(aggregation.id)
                         : pages == 1 ? DT_MAP_AGGS
                                      : DT_MAP_AGGS "_" + std::to_string(pages);
            schema.offset = alone ? 0 : used;
            used += alone ? 0 : size;
        } else {
            schema.map = "agg_" + (schema.shared ? shape_name(schema.key_size, schema.words * 8)
                                                 : std::to_string(aggregation.id));
            // blame() needs no overflow map: the function of bpf-runtime that stores its keys uses only the first map.
            if (grows_ && !aggregation.has_chain())
                schema.overflow_map = schema.map + DT_OVERFLOW_SUFFIX;
            if (schema.short_key_size != 0)
                schema.short_keys_map = schema.map + DT_SHORT_KEYS_SUFFIX;
        }
        if (schema.key_size != 0 && module_.options.aggttl != 0 && !grows_ && module_.options.pin.empty())
            module_.diagnostics.error("D_UNKNOWN", aggregation.at,
                                      "option aggttl needs two maps for each aggregation with keys, but the kernel "
                                      "allows 64 maps for each program: @" +
                                          aggregation.name + " exceeds the limit");
        if (schema.key_size != 0 && !schema.digested && (schema.words + 1) * 8 > kMaxPercpuValue)
            module_.diagnostics.error("D_UNKNOWN", aggregation.at,
                                      "@" + aggregation.name +
                                          " has keys and too many buckets: " + std::to_string(schema.words) +
                                          "; at most " + std::to_string(kMaxPercpuValue / 8 - 1) +
                                          " fit into the kernel's per-CPU values of 32 KiB",
                                      "use a larger step, or quantize() or llquantize()");
        module_.out.schema.aggregations.push_back(std::move(schema));
    }
}

} // namespace dt::lower

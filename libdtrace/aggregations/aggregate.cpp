// Aggregation tables: looking up keys, and combining the values of all CPUs. The last part of the file computes the
// printed forms of keys, which decide whether two keys are equal.
#include "libdtrace/aggregations/aggregate.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "base/time.hpp"
#include "bpf-runtime/abi.h"
#include "libdtrace/format/value.hpp"
#include "libdtrace/metrics/metric_series.hpp"
#include "libdtrace/results/time_series.hpp"

namespace dt::consume {

namespace {

using Words = AggregationTable::Words;

constexpr std::size_t kFewestSlots = 64;

bool has_sums(AggKind kind)
{
    return kind == AggKind::Avg || kind == AggKind::Stddev;
}

void subtract(AggKind kind, std::span<int64_t> from, Words amount)
{
    if (has_sums(kind))
        return output::subtract_sums(from, amount);
    for (std::size_t i = 0; i < from.size(); ++i)
        from[i] = static_cast<int64_t>(static_cast<uint64_t>(from[i]) - static_cast<uint64_t>(amount[i]));
}

std::size_t words_of(AggKind kind, const format::HistogramShape* shape)
{
    return shape ? shape->words() : kind == AggKind::Stddev ? DT_STDDEV_WORDS : kind == AggKind::Avg ? DT_AVG_WORDS : 1;
}

// Replaces each address in a key by the start address of the symbol whose name is printed for it.
void reduce(const AggregationSchema& schema, uint8_t* key, Symbols& symbols)
{
    for (const Datum& datum : schema.keys) {
        uint8_t* at = key + datum.offset;
        if (datum.kind == Datum::Kind::Symbol) {
            const uint64_t start = symbols.reduce_kernel(format::load<uint64_t>(at), format::form_of(datum, at));
            std::memcpy(at, &start, sizeof start);
        } else if (datum.kind == Datum::Kind::UserSymbol) {
            const uint64_t start = symbols.reduce_user(format::load<int64_t>(at), format::load<uint64_t>(at + 8),
                                                       format::form_of(datum, at));
            std::memcpy(at + 8, &start, sizeof start);
        }
    }
}

} // namespace

Result<AggregationTable> AggregationTable::make(const AggregationSchema& schema, bool per_cpu)
{
    AggregationTable table;
    table.schema_ = &schema;
    table.keep_per_cpu_ = per_cpu;
    if (!schema.function)
        return Error{"aggregation " + schema.name + " has no function"};
    if (format::is_histogram(schema.function->kind)) {
        auto shape = format::HistogramShape::make(schema.function->kind, schema.parameters);
        if (!shape)
            return shape.error();
        table.shape_.emplace(std::move(shape.value()));
    }
    std::size_t words = words_of(schema.function->kind, table.shape());
    if (schema.function->kind == AggKind::Tseries) {
        const auto series = output::TimeSeries::make(schema.parameters);
        if (!series)
            return series.error();
        words = series.value().words();
    }
    if (schema.words != words)
        return Error{"aggregation " + schema.name + " has values of the wrong size"};
    for (const Datum& key : schema.keys) {
        if (!format::fits(key, schema.key_size))
            return Error{"Data record offset exceeds buffer boundary"};
        table.reduces_ |= format::is_address(key) || format::is_recorded_as_number(key);
    }
    table.truncatable_ = truncatable_data(schema.keys);
    table.scratch_key_.resize(schema.key_size);
    table.scratch_words_.resize(schema.words);
    table.slots_.resize(kFewestSlots);
    return table;
}

// ---- snapshots ------------------------------------------------------------------------------------------------------

std::size_t AggregationTable::find_or_add(const uint8_t* key)
{
    const std::size_t size = schema_->key_size;
    if (count_ * 2 >= slots_.size()) {
        slots_.assign(slots_.size() * 2, 0);
        for (std::size_t entry = 0; entry < count_; ++entry) {
            std::size_t at = std::hash<std::string_view>()({reinterpret_cast<const char*>(this->key(entry)), size});
            while (slots_[at & (slots_.size() - 1)] != 0)
                ++at;
            slots_[at & (slots_.size() - 1)] = static_cast<uint32_t>(entry + 1);
        }
    }
    std::size_t at = std::hash<std::string_view>()({reinterpret_cast<const char*>(key), size});
    for (;; ++at) {
        uint32_t& slot = slots_[at & (slots_.size() - 1)];
        if (slot == 0) {
            slot = static_cast<uint32_t>(count_ + 1);
            break;
        }
        if (std::memcmp(this->key(slot - 1), key, size) == 0)
            return slot - 1;
    }
    return add(key);
}

// Returns the index of the table's entry for a key's printed form; adds an entry if there is none. If several keys of
// the kernel have the same printed form, the entry contains the first of these keys.
std::size_t AggregationTable::find_or_add_printed(const uint8_t* key, const std::string& printed)
{
    const auto [known, is_new] = by_print_.try_emplace(printed, static_cast<uint32_t>(count_));
    return is_new ? add(key) : known->second;
}

std::size_t AggregationTable::add(const uint8_t* key)
{
    keys_.insert(keys_.end(), key, key + schema_->key_size);
    values_.resize((count_ + 1) * schema_->words);
    in_kernel_.push_back(false);
    if (keep_per_cpu_)
        per_cpu_.resize((count_ + 1) * cpus_ * schema_->words);
    return count_++;
}

void AggregationTable::keep_series(const PrintOptions& options)
{
    series_ = std::make_shared<output::MetricSeries>(*schema_, shape(), options,
                                                     static_cast<uint64_t>(now_ns(CLOCK_REALTIME)));
}

void AggregationTable::count_truncated(const uint8_t* key)
{
    for (const Datum* datum : truncatable_)
        if (const std::optional<DropReason> cut = truncation_of(*datum, key))
            ++(*cut == DropReason::StringCut ? truncated_keys_.strings : truncated_keys_.stacks);
}

void AggregationTable::add_keyed(const uint8_t* key, const uint8_t* values, std::size_t stride,
                                 const format::Environment& env)
{
    std::memcpy(scratch_key_.data(), key, scratch_key_.size());
    if (reduces_)
        reduce(*schema_, scratch_key_.data(), env.symbols);
    const uint8_t* own = scratch_key_.data();
    const std::size_t before = in_kernel_.size();
    const std::size_t entry =
        reduces_ ? find_or_add_printed(own, printed_keys_.of(*schema_, own, env)) : find_or_add(own);
    if (in_kernel_.size() != before)
        count_truncated(own);
    in_kernel_[entry] = true;
    if (reduces_) {
        kernel_keys_.insert(kernel_keys_.end(), key, key + schema_->key_size);
        kernel_entries_.push_back(static_cast<uint32_t>(entry));
    }
    const std::size_t words = schema_->words;
    for (uint32_t cpu = 0; cpu < cpus_; ++cpu) {
        std::memcpy(scratch_words_.data(), values + cpu * stride, words * sizeof(int64_t));
        combine({values_.data() + entry * words, words}, scratch_words_);
        if (keep_per_cpu_)
            combine({per_cpu_.data() + (entry * cpus_ + cpu) * words, words}, scratch_words_);
    }
}

void AggregationTable::add_unkeyed(const uint8_t* values, std::size_t stride)
{
    const std::size_t words = schema_->words;
    bool touched = false, changed = false;
    latest_.assign(cpus_ * words, 0);
    baseline_.resize(cpus_ * words);
    for (uint32_t cpu = 0; cpu < cpus_; ++cpu) {
        const uint8_t* at = values + cpu * stride;
        touched |= format::load<uint64_t>(at) != 0;
        std::memcpy(latest_.data() + cpu * words, at + sizeof(uint64_t), words * sizeof(int64_t));
    }
    std::vector<int64_t> since = latest_;
    for (uint32_t cpu = 0; cpu < cpus_; ++cpu) {
        const std::span<int64_t> mine(since.data() + cpu * words, words);
        if (!is_indivisible())
            subtract(schema_->function->kind, mine, {baseline_.data() + cpu * words, words});
        changed |= std::any_of(mine.begin(), mine.end(), [](int64_t word) { return word != 0; });
    }
    if (count_ == 0) {
        if (!touched || (hidden_until_changed_ && !changed))
            return;
        count_ = 1;
        values_.assign(words, 0);
    }
    hidden_until_changed_ = false;
    for (uint32_t cpu = 0; cpu < cpus_; ++cpu)
        combine(values_, {since.data() + cpu * words, words});
    if (keep_per_cpu_)
        per_cpu_ = std::move(since);
}

Result<void> AggregationTable::snapshot(AggregationStore& store, const format::Environment& env)
{
    cpus_ = store.cpus();
    std::fill(values_.begin(), values_.end(), 0);
    std::fill(per_cpu_.begin(), per_cpu_.end(), 0);
    in_kernel_.assign(count_, false);
    kernel_keys_.clear();
    kernel_entries_.clear();
    const Result<void> read = store.read(*schema_, [&](const uint8_t* key, const uint8_t* values, std::size_t stride) {
        if (schema_->key_size != 0)
            add_keyed(key, values, stride, env);
        else
            add_unkeyed(values, stride);
    });
    if (read)
        remove_expired(store);
    for (std::vector<int64_t>* values : {&values_, &per_cpu_, &expired_words_})
        correct(*values);
    return read;
}

void AggregationTable::correct_by(double factor)
{
    const AggKind kind = schema_->function->kind;
    if (!was_emptied_ && !series() && !is_extreme() && !has_sums(kind))
        correction_ = factor;
}

void AggregationTable::correct(std::vector<int64_t>& values) const
{
    if (correction_ == 1)
        return;
    if (const auto series = output::TimeSeries::of(*schema_)) {
        for (std::size_t at = 0; at < values.size(); at += schema_->words)
            series->scale({values.data() + at, schema_->words}, correction_);
        return;
    }
    for (int64_t& value : values)
        value = static_cast<int64_t>(std::llround(static_cast<double>(value) * correction_));
}

/// Removes the entries of keys that have expired in the store. Copies the merged value of all expired keys from the
/// store into the table.
void AggregationTable::remove_expired(const AggregationStore& store)
{
    const std::vector<int64_t>* const expired = store.expired(*schema_);
    expired_words_ = expired ? *expired : std::vector<int64_t>();
    expired_key_.assign(schema_->key_size, 0);
    expires_keys_ = store.expires_keys(*schema_);
    if (!expires_keys_ || std::find(in_kernel_.begin(), in_kernel_.end(), false) == in_kernel_.end())
        return;
    std::vector<bool> silent = in_kernel_;
    silent.flip();
    forget(silent);
}

void AggregationTable::clear_expired(AggregationStore& store)
{
    store.clear_expired(*schema_);
    expired_words_.clear();
}

// ---- clear and trunc ------------------------------------------------------------------------------------------------

void AggregationTable::reset_unkeyed(AggregationStore& store)
{
    if (is_indivisible())
        // zeroes the kernel's slot, because an earlier minimum or maximum cannot be subtracted from a later one
        store.zero(*schema_);
    else
        baseline_ = latest_;
}

// Calls `handle(key, entry)` for each key in the kernel's maps.
template <typename Handle> void AggregationTable::for_each_kernel_key(Handle handle) const
{
    const std::size_t size = schema_->key_size;
    if (reduces_) {
        for (std::size_t i = 0; i < kernel_entries_.size(); ++i)
            handle(kernel_keys_.data() + i * size, kernel_entries_[i]);
        return;
    }
    for (std::size_t entry = 0; entry < count_; ++entry)
        if (in_kernel_[entry])
            handle(key(entry), entry);
}

void AggregationTable::remove_from_kernel(AggregationStore& store, const std::vector<bool>& expired)
{
    std::vector<uint8_t> keys;
    std::vector<std::string> kept;
    for_each_kernel_key([&](const uint8_t* key, std::size_t entry) {
        if (expired[entry])
            keys.insert(keys.end(), key, key + schema_->key_size);
        else
            kept.emplace_back(reinterpret_cast<const char*>(key), schema_->key_size);
    });
    if (!keys.empty())
        store.remove(*schema_, keys);
    store.keep_overflow(*schema_, kept);
}

void AggregationTable::clear(AggregationStore& store)
{
    was_emptied_ = true;
    std::fill(values_.begin(), values_.end(), 0);
    std::fill(per_cpu_.begin(), per_cpu_.end(), 0);
    if (schema_->key_size == 0)
        return reset_unkeyed(store);
    clear_expired(store);
    if (store.expires_keys(*schema_))
        return store.empty(*schema_);
    remove_from_kernel(store, std::vector<bool>(count_, true));
    in_kernel_.assign(count_, false);
    kernel_keys_.clear();
    kernel_entries_.clear();
}

void AggregationTable::forget(const std::vector<bool>& expired)
{
    const std::vector<uint8_t> keys = std::move(keys_);
    const std::vector<int64_t> values = std::move(values_), per_cpu = std::move(per_cpu_);
    const std::vector<bool> in_kernel = std::move(in_kernel_);
    const std::size_t count = count_, words = schema_->words, size = schema_->key_size;
    keys_.clear();
    values_.clear();
    per_cpu_.clear();
    in_kernel_.clear();
    count_ = 0;
    slots_.assign(kFewestSlots, 0);
    std::vector<const std::string*> printed(reduces_ ? count : 0);
    const std::unordered_map<std::string, uint32_t> by_print = std::move(by_print_);
    by_print_.clear();
    for (const auto& [text, entry] : by_print)
        printed[entry] = &text;
    std::vector<uint32_t> renamed(count, 0);
    for (std::size_t entry = 0; entry < count; ++entry) {
        if (expired[entry])
            continue;
        const uint8_t* key = keys.data() + entry * size;
        const std::size_t now = reduces_ ? find_or_add_printed(key, *printed[entry]) : find_or_add(key);
        renamed[entry] = static_cast<uint32_t>(now);
        std::copy_n(values.data() + entry * words, words, values_.data() + now * words);
        if (keep_per_cpu_)
            std::copy_n(per_cpu.data() + entry * cpus_ * words, cpus_ * words, per_cpu_.data() + now * cpus_ * words);
        in_kernel_[now] = in_kernel[entry];
    }
    if (count_ == 0)
        // frees the cached printed forms of keys, which would otherwise accumulate for all keys that ever existed
        printed_keys_ = {};
    std::size_t kept = 0;
    for (std::size_t i = 0; i < kernel_entries_.size(); ++i) {
        if (expired[kernel_entries_[i]])
            continue;
        std::copy_n(kernel_keys_.data() + i * size, size, kernel_keys_.data() + kept * size);
        kernel_entries_[kept++] = renamed[kernel_entries_[i]];
    }
    kernel_entries_.resize(kept);
    kernel_keys_.resize(kept * size);
}

void AggregationTable::truncate(AggregationStore& store, int64_t keep, const format::Environment& env)
{
    was_emptied_ |= keep == 0;
    clear_expired(store);
    const uint64_t wanted = keep < 0 ? -static_cast<uint64_t>(keep) : static_cast<uint64_t>(keep);
    if (wanted >= count_ && keep != 0)
        return;
    if (schema_->key_size == 0) {
        reset_unkeyed(store);
        hidden_until_changed_ = !is_indivisible();
        count_ = 0;
        values_.clear();
        per_cpu_.clear();
        return;
    }
    const std::vector<uint32_t> order = output::ascending_by_value(*this, env);
    std::vector<bool> expired(count_, true);
    for (std::size_t i = 0; i < wanted; ++i)
        expired[order[keep > 0 ? count_ - 1 - i : i]] = false;
    remove_from_kernel(store, expired);
    forget(expired);
}

// Computes the printed forms of keys: symbols and control groups are replaced by an index of their text.

namespace {

using DatumKind = Datum::Kind;

constexpr int64_t kKernel = -1;
constexpr uint32_t kEndOfStack = UINT32_MAX;

void append_bytes(std::string& to, const void* from, std::size_t size)
{
    to.append(static_cast<const char*>(from), size);
}

} // namespace

void PrintedKeyForms::append(const AddressKey& place, Symbols& symbols)
{
    const auto [known, is_new] = places_.try_emplace(place, 0);
    if (is_new) {
        known->second =
            number_of(place.pid == kKernel ? symbols.kernel(place.address, place.form, place.use)
                                           : symbols.user(place.pid, place.address, place.form, false, place.use));
    }
    append_bytes(bytes_, &known->second, sizeof known->second);
}

uint32_t PrintedKeyForms::number_of(std::string_view text)
{
    return texts_.try_emplace(std::string(text), static_cast<uint32_t>(texts_.size())).first->second;
}

const std::string& PrintedKeyForms::of(const AggregationSchema& schema, const uint8_t* key,
                                       const format::Environment& env)
{
    bytes_.clear();
    for (const Datum& datum : schema.keys) {
        const uint8_t* at = key + datum.offset;
        if (datum.kind == DatumKind::Symbol) {
            append({kKernel, format::load<uint64_t>(at), format::form_of(datum, at)}, env.symbols);
        } else if (datum.kind == DatumKind::UserSymbol) {
            append({format::load<int64_t>(at), format::load<uint64_t>(at + 8), format::form_of(datum, at)},
                   env.symbols);
        } else if ((datum.kind == DatumKind::Cgroup && env.cgroups) || datum.kind == DatumKind::Converted) {
            const uint32_t number = number_of(format::load_characters(env, datum, key));
            append_bytes(bytes_, &number, sizeof number);
        } else if (format::is_address(datum)) {
            const uint8_t* end = at + datum.size / 8 * 8;
            int64_t pid = kKernel;
            if (datum.kind == DatumKind::UserStack) {
                const auto owner = format::load<int64_t>(at);
                // if the stack was recorded without a process id, the addresses are kernel addresses
                pid = owner != 0 ? owner : kKernel;
                at += 8;
            }
            auto use = Symbols::Use::Exact;
            for (; at < end && format::load<uint64_t>(at) != 0; at += 8) {
                append({pid, format::load<uint64_t>(at), Datum::Address::Exact, use}, env.symbols);
                use = Symbols::Use::Return;
            }
            append_bytes(bytes_, &kEndOfStack, sizeof kEndOfStack);
        } else {
            append_bytes(bytes_, at, datum.size);
        }
    }
    return bytes_;
}

} // namespace dt::consume

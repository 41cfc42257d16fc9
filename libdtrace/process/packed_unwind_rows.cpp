#include "libdtrace/process/packed_unwind_rows.hpp"

#include <cstring>
#include <unordered_map>

namespace dt {
namespace {

uint64_t key_of(const dt_unwind_rule& rule)
{
    uint64_t key = 0;
    static_assert(sizeof rule == sizeof key);
    std::memcpy(&key, &rule, sizeof key);
    return key;
}

} // namespace

PackedUnwindRows::PackedUnwindRows(std::span<const UnwindRow> rows) : count_(rows.size())
{
    if (rows.empty())
        return;
    std::vector<dt_unwind_rule> rules;
    std::unordered_map<uint64_t, std::size_t> numbers;
    for (const UnwindRow& row : rows)
        if (numbers.try_emplace(key_of(row.rule), rules.size()).second)
            rules.push_back(row.rule);
    PackedWriter writer;
    writer.array(std::span<const dt_unwind_rule>(rules));
    writer.number(rows.size());
    uint64_t last = 0;
    for (const UnwindRow& row : rows) {
        writer.number(row.address - last);
        writer.number(numbers[key_of(row.rule)]);
        last = row.address;
    }
    bytes_ = writer.take();
    bytes_.shrink_to_fit();
    first_ = rows.front().address;
    last_ = last;
}

PackedUnwindRows PackedUnwindRows::told(std::string bytes)
{
    PackedUnwindRows rows;
    rows.bytes_ = std::move(bytes);
    Cursor cursor(rows);
    if (!cursor.at_end())
        rows.first_ = rows.last_ = cursor.row().address;
    for (; !cursor.at_end(); cursor.next()) {
        if (rows.count_ != 0 && cursor.row().address <= rows.last_)
            return {};
        rows.last_ = cursor.row().address;
        ++rows.count_;
    }
    return cursor.good() && rows.count_ != 0 ? std::move(rows) : PackedUnwindRows();
}

PackedUnwindRows::Cursor::Cursor(const PackedUnwindRows& rows) : reader_(rows.bytes_)
{
    if (!rows.bytes_.empty()) {
        rules_ = reader_.array<dt_unwind_rule>();
        left_ = reader_.count(2, kMost);
    }
    next();
}

void PackedUnwindRows::Cursor::next()
{
    at_end_ = left_ == 0;
    if (at_end_)
        return;
    --left_;
    row_.address += reader_.number();
    const uint64_t rule = reader_.number();
    if (rule >= rules_.size())
        reader_.fail();
    at_end_ = !reader_.good();
    if (!at_end_)
        row_.rule = rules_[rule];
}

} // namespace dt

// Bounded cache of address texts with eviction of the least recently used.
//
// The number of user addresses is unlimited, because each start of a program has new ones. So the cache is bounded in
// bytes, and there is no table per process, which would have to be discarded at its end. A text is valid for one
// version of its process's mappings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dt {

/// `Value` is a text or a list of texts.
template <typename Value> class AddressTexts {
public:
    struct Key {
        int64_t process = 0;
        uint64_t address = 0;
        std::size_t kind = 0;
        bool operator==(const Key&) const = default;
    };

    explicit AddressTexts(std::size_t most_bytes) : most_(most_bytes) {}

    /// Returns the cached value, or null if it is missing or belongs to another version. Valid until the next add() or
    /// clear().
    const Value* find(const Key& key, uint64_t version)
    {
        const auto known = index_.find(key);
        if (known == index_.end() || known->second->version != version)
            return nullptr;
        entries_.splice(entries_.end(), entries_, known->second);
        return &known->second->value;
    }

    const Value& add(const Key& key, uint64_t version, Value value)
    {
        if (const auto known = index_.find(key); known != index_.end())
            erase(known->second);
        const std::size_t bytes = kOverhead + memory(value);
        while (!entries_.empty() && bytes_ + bytes > most_)
            erase(entries_.begin());
        entries_.push_back({key, version, bytes, std::move(value)});
        index_[key] = std::prev(entries_.end());
        bytes_ += bytes;
        return entries_.back().value;
    }

    void set_most_bytes(std::size_t bytes) { most_ = bytes; }

    void clear()
    {
        index_.clear();
        entries_.clear();
        bytes_ = 0;
    }

    std::size_t size() const { return index_.size(); }

private:
    struct Entry {
        Key key;
        uint64_t version;
        std::size_t bytes;
        Value value;
    };
    using Entries = std::list<Entry>;
    struct HashKey {
        std::size_t operator()(const Key& key) const
        {
            return std::hash<uint64_t>()(key.address * 0x9e3779b97f4a7c15 ^ static_cast<uint64_t>(key.process) << 4 ^
                                         key.kind);
        }
    };
    static constexpr std::size_t kOverhead =
        sizeof(Entry) + sizeof(Key) + 10 * sizeof(void*); // estimate for list and index nodes

    static std::size_t memory(const std::string& text) { return text.capacity() > 15 ? text.capacity() + 17 : 0; }
    static std::size_t memory(const std::vector<std::string>& texts)
    {
        std::size_t bytes = texts.capacity() * sizeof(std::string);
        for (const std::string& text : texts)
            bytes += memory(text);
        return bytes;
    }

    void erase(typename Entries::iterator entry)
    {
        bytes_ -= entry->bytes;
        index_.erase(entry->key);
        entries_.erase(entry);
    }

    std::size_t most_;
    std::size_t bytes_ = 0;
    Entries entries_; // least recently used first
    std::unordered_map<Key, typename Entries::iterator, HashKey> index_;
};

} // namespace dt

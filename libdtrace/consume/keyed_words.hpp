// Compact storage of an aggregation's keys and values in two arrays.
//
// Tens of thousands of keys can wait for months until they are printed. With a node, a string and a vector each key
// took 170 bytes; here a key with a count takes 16.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dt::consume {

class KeyedWords {
public:
    KeyedWords() = default;
    /// Creates an empty container for keys of `key_size` bytes, each with `words` words.
    KeyedWords(std::size_t key_size, std::size_t words) : key_size_(key_size), per_key_(words) {}

    /// Adds a key, which must not exist yet.
    void add(const uint8_t* key, std::span<const int64_t> words)
    {
        keys_.insert(keys_.end(), key, key + key_size_);
        words_.insert(words_.end(), words.begin(), words.end());
        ++size_;
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    uint8_t* key(std::size_t i) { return keys_.data() + i * key_size_; }
    const uint8_t* key(std::size_t i) const { return keys_.data() + i * key_size_; }
    std::span<const int64_t> words(std::size_t i) const { return {words_.data() + i * per_key_, per_key_}; }
    std::string key_text(std::size_t i) const { return {reinterpret_cast<const char*>(key(i)), key_size_}; }

    void remove(const std::unordered_set<std::string>& keys)
    {
        KeyedWords kept(key_size_, per_key_);
        for (std::size_t i = 0; i < size_; ++i)
            if (!keys.contains(key_text(i)))
                kept.add(key(i), words(i));
        *this = std::move(kept);
    }

    bool operator==(const KeyedWords&) const = default;

private:
    std::size_t key_size_ = 0, per_key_ = 0, size_ = 0;
    std::vector<uint8_t> keys_;
    std::vector<int64_t> words_;
};

} // namespace dt::consume

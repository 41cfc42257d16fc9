// The one way a library function fails: a value or an Error. No exceptions cross a folder's border, nothing exits.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace dt {

/// Why something failed, told to a person. `message` is a complete sentence part without a trailing newline and, where
/// there is one, says what to do next; `code` is the errno it came from, or 0; `tag` is the diagnostic's, where it has
/// one of its own.
struct Error {
    std::string message;
    int code = 0;
    std::string tag = {};
};

template <typename T> class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::move(value)) {}
    Result(Error error) : state_(std::move(error)) {}

    bool ok() const { return std::holds_alternative<T>(state_); }
    explicit operator bool() const { return ok(); }
    T& value() { return std::get<T>(state_); }
    const T& value() const { return std::get<T>(state_); }
    T& operator*() { return value(); }
    T* operator->() { return &value(); }
    const Error& error() const { return std::get<Error>(state_); }

private:
    std::variant<T, Error> state_;
};

template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)), failed_(true) {}

    bool ok() const { return !failed_; }
    explicit operator bool() const { return ok(); }
    const Error& error() const { return error_; }

private:
    Error error_;
    bool failed_ = false;
};

} // namespace dt

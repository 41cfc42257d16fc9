// Error handling of the library: a function returns a value or an Error. No exception crosses a folder's boundary, and
// nothing exits the process.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace dt {

/// An error for the user. `message` is a phrase without a final newline that includes the next step if there is one.
/// `code` is the underlying errno or 0. `tag` is the diagnostic's tag if it has one.
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

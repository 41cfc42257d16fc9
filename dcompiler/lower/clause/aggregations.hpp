// Lowers aggregating functions: computes the key, finds its entry in a map, and updates the value.
#pragma once

#include <functional>
#include <vector>

#include "dcompiler/lower/clause/clause_state.hpp"

namespace dt::lower {

class Aggregations : public HookComponent {
public:
    using HookComponent::ClauseComponent;

    void aggregate(const TStmt& s);
    /// Yields the address of the element that contains the value of an aggregation without keys. The verifier requires
    /// a check whether the element exists; control would go to `missing`.
    ir::Value unkeyed_element(const AggregationSchema& schema, ir::BlockId missing);

private:
    /// Result of code that looks up a key in a map and creates it if necessary.
    struct Entry {
        std::vector<ir::Value> found;  ///< address of the key's value, in each of the blocks that jump to `join`
        ir::Value updated = ir::kNone; ///< result of the map update that creates the key
    };

    /// Key of an element in a map, and the layout of the element's value.
    struct MapKey {
        ir::Value key;
        uint32_t value_size;   ///< size of the value in bytes
        uint32_t words_offset; ///< offset of the words of the aggregation's value in the element's value
        /// emits code for the initial value of a new element, and yields its address
        std::function<ir::Value()> new_value;
    };

    void add_alone(const std::function<void()>& add);
    ir::Value unkeyed_value(const Aggregation& aggregation, const AggregationSchema& schema);
    ir::Value keys_of(const TStmt& s, const AggregationSchema& schema);
    ir::Value keyed_value(const TStmt& s, const AggregationSchema& schema, ir::Value key, ir::BlockId done);
    void drop_key(ir::Value status);
    MapKey whole_key(const AggregationSchema& schema, ir::Value key);
    MapKey digest_of(const AggregationSchema& schema, ir::Value key);
    Entry entry_in(const std::function<ir::Value()>& map, const MapKey& key, ir::BlockId full, ir::BlockId join,
                   const std::function<void()>& when_made = {});
    Entry overflow_value(const TStmt& s, const AggregationSchema& schema, const MapKey& key, ir::BlockId lost,
                         ir::BlockId join);
    void aggregation_key(const TExpr& e, const Datum& datum, ir::Value key);
};

} // namespace dt::lower

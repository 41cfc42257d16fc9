// Lowers aggregating functions: the key, its entry in a map, and the update of the value.
#pragma once

#include <functional>
#include <vector>

#include "dcompiler/lower/clause/clause_state.hpp"

namespace dt::lower {

class Aggregations : public HookComponent {
public:
    using HookComponent::ClauseComponent;

    void aggregate(const TStmt& s);
    /// Yields the address of the map element that holds aggregations without keys. Control goes to `missing` if the
    /// element does not exist, which never happens.
    ir::Value unkeyed_element(const AggregationSchema& schema, ir::BlockId missing);

private:
    /// Result of looking up a key in a map, or of creating it.
    struct Entry {
        std::vector<ir::Value> found;  ///< addresses of the key's value, one for each block that jumps to `join`
        ir::Value updated = ir::kNone; ///< status of the map update that creates the key
    };

    /// Key of an element in a map, and the layout of the element's value.
    struct MapKey {
        ir::Value key;
        uint32_t value_size;   ///< size of the value in bytes
        uint32_t words_offset; ///< offset of the aggregation's words in the value
        /// yields the address of the value that a new element gets
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

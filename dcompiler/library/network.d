/* defines: in6_addr_t */
/* The name that goes with ipaddr_t. */
typedef struct in6_addr in6_addr_t;

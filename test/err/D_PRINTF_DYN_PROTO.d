/* @tag: D_PRINTF_DYN_PROTO
 * @says: printf( ) prototype mismatch: conversion #1 (%d) is missing a corresponding "*" argument
 * @line: 5
 * a * width or precision without an argument is an error */
BEGIN { printf("%*d"); }

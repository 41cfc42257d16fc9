/* @tag: D_PRINTF_ARG_PROTO
 * @says: printf( ) prototype mismatch: conversion #1 (%d) is missing a corresponding value argument
 * @line: 5
 * a conversion without an argument is an error */
BEGIN { printf("%d"); }

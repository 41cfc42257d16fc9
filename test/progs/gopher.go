// gopher N: calls a function with three numbers N times, and one with strings once. In each of ten new goroutines, calls a function that recurses N levels, so that the stack grows.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

//go:noinline
func add(a, b, c int) int {
	return a + b + c
}

type Order struct {
	Number int32
	Paid   bool
	Name   string
}

// greet returns the number of bytes of its arguments.
//
//go:noinline
func greet(name string, order Order, by *Order) int {
	return len(name) + len(order.Name) + len(by.Name)
}

//go:noinline
func store(raw []byte) int {
	return len(raw) + int(raw[0])
}

//go:noinline
func deep(n int) int {
	var room [64]int
	room[n%64] = n
	if n == 0 {
		return room[0]
	}
	return deep(n-1) + room[n%64]
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "usage: gopher N")
		os.Exit(2)
	}
	sum := 0
	for i := 1; i <= count; i++ {
		sum += add(i, 20, 30)
	}
	tea := Order{7, true, "green tea"}
	sum += greet("gopher"+os.Args[1], tea, &tea) + store([]byte("bytes"))
	var all sync.WaitGroup
	results := make([]int, 10)
	for i := range results {
		all.Add(1)
		go func(i int) {
			results[i] = deep(count)
			all.Done()
		}(i)
	}
	all.Wait()
	for _, result := range results {
		if result != count*(count+1)/2 {
			fmt.Println("wrong", result)
			os.Exit(1)
		}
	}
	fmt.Println("right", sum > 0)
}

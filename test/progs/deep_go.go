// deep_go N: makes N getppid(2) calls, 10 ms apart, in a goroutine, from a function that is called through an interface.
package main

import (
	"os"
	"strconv"
	"time"
)

type worker interface{ work(times int) int }
type deep struct{ next worker }
type leaf struct{}

//go:noinline
func (leaf) work(times int) int {
	sum := 0
	for i := 0; i < times; i++ {
		sum += os.Getppid()
		time.Sleep(10 * time.Millisecond)
	}
	return sum
}

//go:noinline
func (d deep) work(times int) int {
	var room [40]int
	room[times%40] = times
	return d.next.work(times) + room[(times+1)%40]
}

func main() {
	times, _ := strconv.Atoi(os.Args[1])
	done := make(chan int)
	go func() { done <- deep{deep{leaf{}}}.work(times) }()
	<-done
}

// values_go slices|errors: calls functions of Go with values of its types, and prints the values.
package main

import (
	"errors"
	"fmt"
	"os"
)

type Point struct {
	X, Y int32
}

//go:noinline
func slices(numbers []int32, names []string, place int) {
	fmt.Println(numbers[1], names[1])
	if place < len(numbers) {
		fmt.Println(numbers[place])
	} else {
		fmt.Println("out of range")
	}
}

//go:noinline
func points(points []Point, pointers []*Point, raw []byte) {
	fmt.Println(points[1].X, points[1].Y, pointers[0].Y, raw[2])
}

//go:noinline
func nested(rows [][]int, by *[]int, text string) {
	fmt.Println(rows[1][0], (*by)[1], text)
}

type Shape interface {
	Area() int
}

type Square struct {
	side int
}

func (square *Square) Area() int {
	return square.side * square.side
}

// report prints the text of an error that errors.New or fmt.Errorf has made, and the names of the types of other values.
//
//go:noinline
func report(err error, value interface{}, shape Shape) {
	text := fmt.Sprintf("%T", err)
	if err == nil || text == "*errors.errorString" || text == "*fmt.wrapError" {
		text = fmt.Sprint(err)
	}
	fmt.Printf("%s, %T, %T\n", text, value, shape)
}

func main() {
	switch os.Args[1] {
	case "slices":
		for place := 1; place < 4; place++ {
			slices([]int32{-1, -2, -3}, []string{"red", "green"}, place)
		}
		points([]Point{{1, -1}, {2, -2}}, []*Point{{3, -3}}, []byte("abc"))
		nested([][]int{{1}, {20, 21}}, &[]int{5, 6}, "text")
	case "errors":
		// the name of the type has more than 127 characters
		var long struct {
			AFieldWhoseNameIsVeryLongSoThatTheNameOfTheTypeIsLongToo, AnotherFieldWhoseNameIsVeryLongSoThatTheNameOfTheTypeIsLongToo int
		}
		_, missing := os.Open("/nonexistent/file")
		report(errors.New("plain"), 5, &Square{3})
		report(fmt.Errorf("number %d", 7), "text", nil)
		report(fmt.Errorf("wraps %w", missing), []string{"a"}, nil)
		report(missing, nil, &Square{3})
		report(nil, long, nil)
	default:
		os.Exit(2)
	}
}

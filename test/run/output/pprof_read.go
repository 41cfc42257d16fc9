// Reads a profile with pprof's own package, and prints its content: types with their sums, samples with their stacks
// outermost first, mappings.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/google/pprof/profile"
)

func names(location *profile.Location) []string {
	var all []string
	for i := len(location.Line) - 1; i >= 0; i-- {
		line := location.Line[i]
		text := line.Function.Name
		if line.Line != 0 {
			text += fmt.Sprintf(" %s:%d", filepath.Base(line.Function.Filename), line.Line)
		}
		all = append(all, text)
	}
	return all
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	read, err := profile.Parse(file)
	if err != nil {
		panic(err)
	}
	if err := read.CheckValid(); err != nil {
		panic(err)
	}
	for i, kind := range read.SampleType {
		sum := int64(0)
		for _, sample := range read.Sample {
			sum += sample.Value[i]
		}
		fmt.Println("type", kind.Type, kind.Unit, sum)
	}
	var lines []string
	for _, sample := range read.Sample {
		var stack []string
		for i := len(sample.Location) - 1; i >= 0; i-- {
			stack = append(stack, names(sample.Location[i])...)
		}
		lines = append(lines, fmt.Sprintln("sample", sample.Value, sample.Label, strings.Join(stack, ";")))
	}
	sort.Strings(lines)
	fmt.Print(strings.Join(lines, ""))
	for _, mapping := range read.Mapping {
		fmt.Println("mapping", filepath.Base(mapping.File), mapping.BuildID, mapping.Start < mapping.Limit)
	}
	for _, comment := range read.Comments {
		fmt.Println("comment", comment)
	}
}

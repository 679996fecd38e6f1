package conform

import (
	_ "embed"
	"strings"
)

// Sentence is one of the contract.
type Sentence struct {
	Number       int
	Clause, Text string
}

//go:embed contract.txt
var contract string

// Sentences returns those of the contract in their order; the first has the number 1.
func Sentences() []Sentence {
	var all []Sentence
	for line := range strings.Lines(contract) {
		part := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		all = append(all, Sentence{len(all) + 1, part[1], part[2]})
	}
	return all
}

// Untested returns why no check names a sentence, by its number.
func Untested() map[int]string {
	all := map[int]string{}
	for _, u := range untested {
		for _, number := range u.numbers {
			all[number] = u.reason
		}
	}
	return all
}

var untested = []struct {
	reason  string
	numbers []int
}{
	{"it says what the service is for", []int{2, 3, 4, 5, 6, 7, 8, 9}},
	{"it asks something of the client, or of its receiver", []int{13, 14, 207, 229}},
	{"it tells what was added in a version", []int{230, 232, 235}},
	{"it says again what another sentence says, which is checked", []int{10, 22, 93, 94, 95, 97, 152, 178, 181, 182, 183, 187, 190}},
	{"it needs a credential without the pack, permission or right", []int{
		109, 113, 114, 142, 145, 146, 150, 151, 159, 161, 164, 196, 197, 198, 199, 200,
	}},
	{"the contract shows no operation for it", []int{17, 18}},
	{"the contract does not show what other sites see", []int{90}},
	{"a server may find positions later, or not in demo data", []int{59}},
	{"how long a server waits cannot be told from how long a network takes; a failure is checked", []int{227}},
}

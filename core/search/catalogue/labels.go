package catalogue

// labels says which slots bear which label, such as the code of a choice. The
// zero labels are ready for use.
type labels[K comparable] struct {
	numbers map[K]int
	sets    []set
}

// bearers returns the slots that bear the label.
func (l *labels[K]) bearers(label K) *set {
	if number, ok := l.numbers[label]; ok {
		return &l.sets[number]
	}
	return new(set)
}

// add labels the slot. It keeps the label.
func (l *labels[K]) add(label K, slot uint32) {
	number, ok := l.numbers[label]
	if !ok {
		if l.numbers == nil {
			l.numbers = map[K]int{}
		}
		number = len(l.sets)
		l.numbers[label] = number
		l.sets = append(l.sets, set{})
	}
	l.sets[number].add(slot)
}

// remove takes one label off the slot.
func (l *labels[K]) remove(label K, slot uint32) {
	if number, ok := l.numbers[label]; ok {
		l.sets[number].remove(slot)
	}
}

// strip takes every label off the slot.
func (l *labels[K]) strip(slot uint32) {
	for i := range l.sets {
		l.sets[i].remove(slot)
	}
}

func (l *labels[K]) open(slot uint32) {
	for i := range l.sets {
		l.sets[i].open(slot)
	}
}

func (l *labels[K]) arrange(how arrangement) {
	for i := range l.sets {
		l.sets[i].arrange(how)
	}
}

func (l *labels[K]) settle() {
	for i := range l.sets {
		l.sets[i].settle()
	}
}

func (l *labels[K]) bytes() int {
	total := mapBytes(len(l.numbers), 24) + setBytes*cap(l.sets)
	for i := range l.sets {
		total += l.sets[i].bytes()
	}
	return total
}

package memory

// Usage is what values of a kind take, and what became of them.
type Usage struct {
	// Values and Bytes are what is kept.
	Values, Bytes int
	// Loads are the loads of values that were not kept, Evictions the values that left
	// to make room.
	Loads, Evictions int
}

// of returns the usage of a kind.
func (c *Cache) of(kind string) *Usage {
	u := c.usage[kind]
	if u == nil {
		u = new(Usage)
		c.usage[kind] = u
	}
	return u
}

// Usage tells of each kind that was asked for.
func (c *Cache) Usage() map[string]Usage {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make(map[string]Usage, len(c.usage))
	for kind, u := range c.usage {
		all[kind] = *u
	}
	return all
}

// Bytes returns what all values take, apart from what is shared.
func (c *Cache) Bytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

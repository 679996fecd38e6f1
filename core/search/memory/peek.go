package memory

// Peek returns the value of a key, if one is kept. It is not counted as having been asked
// for, and nothing is loaded.
func (c *Cache) Peek(key Key) (value any, kept bool) {
	c.mu.RLock()
	e := c.entries[key]
	c.mu.RUnlock()
	if e == nil {
		return nil, false
	}
	return held[any](e)
}

// Resized notes that a value of a key was changed and takes so many bytes now. It does
// nothing if another value is kept by now, or one is about to be: a load tells by itself.
func (c *Cache) Resized(key Key, value any, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil || e.load != nil || e.bytes == bytes {
		return
	}
	if now, kept := held[any](e); !kept || now != value {
		return
	}
	u := c.of(key.Kind)
	c.bytes += bytes - e.bytes
	u.Bytes += bytes - e.bytes
	e.bytes = bytes
	e.value.Store(worthOf(bytes))
	c.hold(e)
	c.makeRoom()
	c.release(e)
}

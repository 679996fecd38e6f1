// Package operator is about the people who look after an installation through its
// console: what their roles admit, how long a session lasts, how often somebody may
// fail to sign in, and what is written down of what they did. All of it is pure.
package operator

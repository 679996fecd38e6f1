// Package operator is about the people who look after an installation through its
// console: what their roles admit, how long a session lasts, how often somebody may
// fail to sign in, the entries of the audit, and the imports that they run in the
// background. All of it is pure.
package operator

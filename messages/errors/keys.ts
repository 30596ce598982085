// The messages of the area errors, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface ErrorsMessages {
}

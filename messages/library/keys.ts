// The messages of the area library, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface LibraryMessages {
}

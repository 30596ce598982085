// The messages of the area search, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface SearchMessages {
}

// The messages of the area home, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface HomeMessages {
}

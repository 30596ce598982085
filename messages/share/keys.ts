// The messages of the area share, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface ShareMessages {
}

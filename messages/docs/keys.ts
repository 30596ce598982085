// The messages of the area docs, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface DocsMessages {
}

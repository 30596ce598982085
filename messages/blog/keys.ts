// The messages of the area blog, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface BlogMessages {
}

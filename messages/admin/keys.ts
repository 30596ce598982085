// The messages of the area admin, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface AdminMessages {
}

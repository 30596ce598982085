// The messages of the area profile, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface ProfileMessages {
}

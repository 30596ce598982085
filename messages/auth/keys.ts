// The messages of the area auth, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface AuthMessages {
}

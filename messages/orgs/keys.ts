// The messages of the area orgs, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface OrgsMessages {
}

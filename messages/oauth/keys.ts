// The messages of the area oauth, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface OauthMessages {
}

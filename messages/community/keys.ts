// The messages of the area community, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface CommunityMessages {
}

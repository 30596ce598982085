// The messages of the area moderation, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface ModerationMessages {
}

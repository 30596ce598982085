// The messages of the area ui, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface UiMessages {
}

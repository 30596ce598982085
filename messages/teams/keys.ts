// The messages of the area teams, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface TeamsMessages {
}

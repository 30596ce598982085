// The messages of the area mails, with their variables and tags.
// Derived by npm run derive; do not edit.

export interface MailsMessages {
}

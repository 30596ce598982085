// What is decided about owners and maintainers, without touching the world.

/** Owners and maintainers of an item beside the account that it belongs to, with those who are invited. */
export const MAX_PEOPLE = 50
/** Names that an item has had, with the one it has: a former name is never given to another item. */
export const MAX_NAMES = 10
export const INVITATION_DAYS = 7
export const INVITATION_SECONDS = INVITATION_DAYS * 86_400
/** An account sees so many invitations at once. */
export const MAX_LISTED = 200

/** The part of an address that names an item: as slugs are made (behaviour.md, section 2). */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
export const SLUG_LENGTH = 60

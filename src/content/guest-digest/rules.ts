// What is decided about digests for guests, without touching the world.

/** Guests whose address is confirmed, of the instance. */
export const MAX_GUESTS = 5_000
/** Digests of one address, with those that wait for it. */
export const MAX_OF_ADDRESS = 10
/** How long a link confirms, and an address is kept that does not. */
export const CONFIRM_SECONDS = 86_400
/** Mails that ask one address, a day, whichever networks they come from. */
export const ASKED_BY_ADDRESS = { tries: 3, windowSeconds: 86_400 } as const
/** A longer mail says that there is more. */
export const LISTED = 30
/** Of the community as a whole; the topic of a board is its id. */
export const ALL = ''

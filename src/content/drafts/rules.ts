// What a draft of a form may be: bounded in every way, and of a form of this site.

/** So many drafts an account has; one more takes the place of the oldest. */
export const MAX_DRAFTS = 30
/** Fields of one form. */
export const MAX_FIELDS = 12
/** In characters, of all fields of a draft: more than any form takes, so that what is too long is kept too. */
export const MAX_CHARACTERS = 60_000

/** The path of a page of this site, without its query. Each character can be matched in one way only: a long path that does not fit is refused at once. */
export const PAGE = /^\/(?:[\w.~%@-]+(?:\/[\w.~%@-]+)*\/?)?$/
/** A form of a page, by its action, and by what it is for where there are several of one kind: `comment`, `editComment:<id>`. */
export const FORM = /^[a-zA-Z]{1,30}(?::[\w-]{1,60})?$/

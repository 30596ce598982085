// The author of what an erased account left behind. There is no account of this id.

/** The earliest id of version 7 there can be. All erased accounts share it, so that nothing shows what was whose. */
export const DELETED_USER = '00000000-0000-7000-8000-000000000000'

/** What stands where a text of an erased account was that others have answered. */
export const DELETED_TEXT = '[deleted]'

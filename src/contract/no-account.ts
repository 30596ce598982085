// Who is named where there is no account: the author of what an erased account left behind, and the server itself.

/** The earliest id of version 7 there can be. All erased accounts share it, so that nothing shows what was whose. */
export const DELETED_USER = '00000000-0000-7000-8000-000000000000'

/** No mail gets there (RFC 2606): addresses of people of imports whose source has none. */
export const NO_ADDRESS = 'imported.invalid'

/** What stands where a text of an erased account was that others have answered. */
export const DELETED_TEXT = '[deleted]'

/** Who acts where the server itself does, by a rule of its operator. */
export const THE_SERVER = '00000000-0000-7000-8000-000000000001'

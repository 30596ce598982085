// Usernames of accounts that their owners did not name themselves.

/** What a username may have of a name: letters without their marks, digits, `_` and `-`, at most so many; '' where nothing is left. */
export const usernameIn = (name: string, most: number): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w-]+/g, '-')
    .slice(0, most)
    .replace(/^[-_]+|[-_]+$/g, '')

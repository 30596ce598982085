// How a name becomes a part of an address (behaviour.md, section 2). Pure, so that pages can ask too.

export const SLUG_LENGTH = 60
/** A name may be of any length; what an address is made of stands at its beginning. */
const LONGEST_READ = 4_000
/** For a name without any character that an address may have. */
const NAMELESS = 'untitled'

/** NFKD, marks dropped, lower case, other runs become `-`, at most 60 characters; empty where nothing is left. */
export function wordsOfAddress(name: string): string {
  const plain = name
    .slice(0, LONGEST_READ)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return plain.slice(0, SLUG_LENGTH).replace(/-+$/, '')
}

export const slugOf = (name: string): string => wordsOfAddress(name) || NAMELESS

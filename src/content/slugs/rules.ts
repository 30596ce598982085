// How a name becomes a part of an address (behaviour.md, section 2).

const SLUG_LENGTH = 60
/** A name may be of any length; what an address is made of stands at its beginning. */
const LONGEST_READ = 4_000
/** For a name that has nothing an address could be made of. */
const NAMELESS = 'untitled'

/** NFKD, marks dropped, lower case, other runs become `-`, at most 60 characters. */
export function slugOf(name: string): string {
  const plain = name
    .slice(0, LONGEST_READ)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return plain.slice(0, SLUG_LENGTH).replace(/-+$/, '') || NAMELESS
}

/** The first is the name itself, then `-2`, `-3`, ...; still at most 60 characters, where the name had at most 60. */
export function numbered(base: string, attempt: number): string {
  if (attempt === 1) return base
  const suffix = `-${attempt}`
  return `${base.slice(0, Math.max(1, Math.max(base.length, SLUG_LENGTH) - suffix.length)).replace(/-+$/, '')}${suffix}`
}

// How the language of a reader is chosen.
import { type AddedLanguages, FALLBACK, isOffered, LANGUAGES } from '../contract/languages.ts'

/** The cookie of the switch in the footer. */
export const LANGUAGE_COOKIE = 'language'

/** Scripts that are written from right to left (Intl.Locale.getTextInfo is not in every runtime). */
const RIGHT_TO_LEFT = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** By the languages of the server, which are few. */
const directions = new Map<string, 'ltr' | 'rtl'>()

/** `dir` of a page in a language of the server. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  let direction = directions.get(language)
  if (direction === undefined) {
    direction = RIGHT_TO_LEFT.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
    directions.set(language, direction)
  }
  return direction
}

/** More ranges than browsers send; the rest is not read. */
const MAX_RANGES = 20

/**
 * The language of the server that `Accept-Language` prefers, by weight and then by order (RFC 9110, 12.5.4): `de-AT` finds `de` (lookup of
 * RFC 4647, 3.4), `q=0` excludes. undefined where it names none of them.
 */
export function negotiated(header: string | null, added?: AddedLanguages): string | undefined {
  const offered = [...LANGUAGES, ...(added?.keys() ?? [])]
  const ranges = (header ?? '').split(',', MAX_RANGES).flatMap((part) => {
    const [, range, weight] =
      /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i.exec(part) ?? []
    return range ? [{ name: range.toLowerCase(), weight: Math.min(Number(weight ?? 1), 1) }] : []
  })
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ name }) => foundIn(offered, name)))
  for (const { name, weight } of ranges.toSorted((one, other) => other.weight - one.weight)) {
    if (weight === 0) return undefined
    if (name === '*') return offered.find((language) => !refused.has(language))
    const found = foundIn(offered, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** The language that a range names, or else one of its beginnings. */
function foundIn(offered: readonly string[], range: string): string | undefined {
  const parts = range.split('-')
  for (let length = parts.length; length > 0; length--) {
    const tag = parts.slice(0, length).join('-')
    const found = offered.find((one) => one.toLowerCase() === tag)
    if (found !== undefined) return found
  }
  return undefined
}

/** What decides the language of a page. */
export interface Reader {
  /** Of the account, if one is signed in and has chosen. */
  account?: string | null | undefined
  cookie?: string | null | undefined
  acceptLanguage: string | null
  /** The languages that the operator of the server added. */
  added?: AddedLanguages | undefined
}

/** The account's choice, then the switch in the footer, then what the browser prefers; undefined where none of them says one. */
export const preferred = ({ account, cookie, acceptLanguage, added }: Reader): string | undefined =>
  [account, cookie].find((name) => isOffered(name, added)) ?? negotiated(acceptLanguage, added)

/** The same, or else English. */
export const languageOf = (reader: Reader): string => preferred(reader) ?? FALLBACK

/** The language in which a reader signs up, or asks for a code, without an account that has chosen one. */
export const languageIn = ({
  request,
  cookie,
  config,
}: {
  request: Pick<Request, 'headers'>
  config: { languages?: AddedLanguages }
  cookie(name: string): string | undefined
}) =>
  preferred({
    cookie: cookie(LANGUAGE_COOKIE),
    acceptLanguage: request.headers.get('accept-language'),
    added: config.languages,
  })

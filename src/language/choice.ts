// How the language of a reader is chosen.
import { FALLBACK, isLanguage, LANGUAGES, type Language } from '../contract/languages.ts'

/** The cookie of the switch in the footer. */
export const LANGUAGE_COOKIE = 'language'

/** Languages that are written from right to left (Intl.Locale.getTextInfo is not in every runtime). */
const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur', 'yi', 'ps', 'sd', 'ug', 'dv'])

/** `dir` of a page in a language. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(language.split('-')[0] ?? '') ? 'rtl' : 'ltr'

/** More ranges than browsers send; the rest is not read. */
const MAX_RANGES = 20

/**
 * The supported language that `Accept-Language` prefers, by weight and then by order (RFC 9110, 12.5.4): `de-AT` finds `de` (lookup of
 * RFC 4647, 3.4), `q=0` excludes. undefined where it names none of them.
 */
export function negotiated(header: string | null): Language | undefined {
  const ranges = (header ?? '').split(',', MAX_RANGES).flatMap((part) => {
    const [, range, weight] =
      /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i.exec(part) ?? []
    return range ? [{ name: range.toLowerCase().split('-')[0] ?? '', weight: Math.min(Number(weight ?? 1), 1) }] : []
  })
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ name }) => name))
  for (const { name, weight } of ranges.toSorted((one, other) => other.weight - one.weight)) {
    if (weight === 0) return undefined
    if (name === '*') return LANGUAGES.find((language) => !refused.has(language))
    if (isLanguage(name)) return name
  }
  return undefined
}

/** What decides the language of a page. */
export interface Reader {
  /** Of the account, if one is signed in and has chosen. */
  account?: string | null | undefined
  cookie?: string | null | undefined
  acceptLanguage: string | null
}

/** The account's choice, then the switch in the footer, then what the browser prefers; undefined where none of them says one. */
export const preferred = ({ account, cookie, acceptLanguage }: Reader): Language | undefined =>
  [account, cookie].find(isLanguage) ?? negotiated(acceptLanguage)

/** The same, or else English. */
export const languageOf = (reader: Reader): Language => preferred(reader) ?? FALLBACK

/** The language in which a reader signs up, or asks for a code, without an account that has chosen one. */
export const languageIn = ({
  request,
  cookie,
}: {
  request: Pick<Request, 'headers'>
  cookie(name: string): string | undefined
}) => preferred({ cookie: cookie(LANGUAGE_COOKIE), acceptLanguage: request.headers.get('accept-language') })

// Permissions of versions; their words are in the catalogue: `library.permission.<type>`.
import type { Answer } from '#lib/api.ts'
import type { SiteWords } from '#lib/language/catalogue.ts'

export type Permission = Answer<'library.contents'>['may_do'][number]

/** What it names; `any site` and its like, which the API has for all of a type, in the words of the reader. */
export const nameOf = (t: SiteWords, { type, name }: Permission): string =>
  name === `any ${type}` ? t(`library.anyOf.${type}`) : name

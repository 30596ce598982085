// What an operator writes on a server's pages: texts of the first page, links, pages of its own, the navigation, and words for the parts. Each is JSON.
import { z } from 'zod'
import { besideKinds } from '../contract/item-kinds.ts'
import { FALLBACK, isLanguage, LANGUAGES, type Language } from '../contract/languages.ts'
import { parsedBy } from './values.ts'

/** The most characters of texts and the most entries of lists; the form of them has the same. */
export const textLimits = {
  siteName: 60,
  shortName: 16,
  home: { title: 120, text: 600, description: 300, tagline: 120 },
  links: 12,
  linkLabel: 40,
  linkUrl: 500,
  pages: 20,
  pageSlug: 60,
  pageTitle: 120,
  pageBody: 20_000,
  partWord: 30,
} as const

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u)

const inEach = <Schema extends z.ZodType>(schema: Schema) =>
  z.partialRecord(z.enum(LANGUAGES), schema).refine((texts) => Object.keys(texts).length > 0)

/** The same text for every reader, or one for each language. */
const ownText = <Schema extends z.ZodType<string>>(schema: Schema) => z.union([schema, inEach(schema)])

export type OwnText = string | Partial<Record<Language, string>>

/** The text in a language; that of another language where it has none. */
export const textIn = (text: OwnText, language: string): string =>
  typeof text === 'string' ? text : (text[isLanguage(language) ? language : FALLBACK] ?? Object.values(text)[0] ?? '')

/** A page of this server, or an address elsewhere. */
const address = z
  .string()
  .max(textLimits.linkUrl)
  .refine((text) => {
    if (/^\/(?![/\\])[^\s\\]*$/.test(text)) return true
    const url = /^(?:https|mailto):\S+$/i.test(text) ? URL.parse(text) : null
    return url !== null && !url.username && !url.password
  })

const link = z.strictObject({ label: ownText(line(textLimits.linkLabel)), url: address })

const home = z.strictObject({
  title: ownText(line(textLimits.home.title)).optional(),
  text: ownText(line(textLimits.home.text)).optional(),
  description: ownText(line(textLimits.home.description)).optional(),
  tagline: ownText(line(textLimits.home.tagline)).optional(),
})
export type HomeTexts = z.output<typeof home>

/** The setting of the texts of the first page with what the community is for; '' for the texts of the product. */
export function homeTextsAbout(purpose: string): string {
  const text = purpose.replace(/\s+/g, ' ').trim()
  return text === '' ? '' : JSON.stringify({ text, description: text })
}

const page = z.strictObject({
  slug: z
    .string()
    .max(textLimits.pageSlug)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  title: ownText(line(textLimits.pageTitle)),
  body: ownText(z.string().trim().min(1).max(textLimits.pageBody)),
})

/** The parts that have words of their own. */
export const namedParts = [
  ...(['post', 'bug', 'feature', 'org', 'release', 'workflow', 'automation'] as const),
  ...besideKinds,
]

const words = z.partialRecord(
  z.enum(namedParts),
  z.strictObject({
    one: ownText(line(textLimits.partWord)).optional(),
    many: ownText(line(textLimits.partWord)).optional(),
  }),
)
export type PartWords = z.output<typeof words>

const path = z
  .string()
  .max(100)
  .regex(/^\/[a-z/-]*$/)
const navigation = z.strictObject({
  /** Paths of the navigation, which stand first in their group, in this order. */
  first: z.array(path).max(40).optional(),
  hidden: z.array(path).max(40).optional(),
  links: z.array(link).max(textLimits.links).optional(),
})

const hasEach = <Item extends { slug: string }>(items: readonly Item[]) =>
  new Set(items.map(({ slug }) => slug)).size === items.length

/** JSON of a schema, as the value of a setting. */
const jsonOf = <Schema extends z.ZodType>(schema: Schema, expected: string) =>
  parsedBy((text) => {
    try {
      return schema.safeParse(JSON.parse(text)).data
    } catch {
      return undefined
    }
  }, expected)

export const homeTexts = jsonOf(
  home,
  'JSON such as {"title": "Acme Lab", "text": {"en": "...", "de": "..."}}, with title, text, description and tagline',
)
export const footerLinks = jsonOf(
  z.array(link).max(textLimits.links),
  `a JSON array of at most ${textLimits.links} links such as [{"label": "Imprint", "url": "/pages/imprint"}]`,
)
export const ownPages = jsonOf(
  z.array(page).max(textLimits.pages).refine(hasEach),
  `a JSON array of at most ${textLimits.pages} pages such as [{"slug": "imprint", "title": "Imprint", "body": "Markdown"}]`,
)
export const partWords = jsonOf(
  words,
  `JSON such as {"feature": {"one": "Idea", "many": {"en": "Ideas", "de": "Ideen"}}}, for ${namedParts.join(', ')}`,
)
export const navigationOf = jsonOf(
  navigation,
  'JSON such as {"first": ["/library"], "hidden": ["/blog"], "links": [{"label": "Shop", "url": "https://shop.example"}]}',
)

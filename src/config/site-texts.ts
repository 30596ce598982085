// What an operator writes on a server's pages: texts of the first page, links, pages of its own, the navigation, and words for the parts. Each is JSON.
import { z } from 'zod'
import { besideKinds } from '../contract/item-kinds.ts'
import { FALLBACK, isLanguage, LANGUAGES, type Language } from '../contract/languages.ts'
import type { OwnTexts } from '../language/words.ts'
import { parsedBy } from './values.ts'

// The operator's own words in the place of messages: of the first page, and of the parts ("Ideas" for "Feature requests").

const homeKeys = { title: 'home.hero', text: 'home.heroText', description: 'home.description', tagline: 'frame.about' }

/** The messages that say one of a part, and those that say many. */
const keysOf = (part: string) => ({
  one: [`kinds.${part}.word`, `kinds.${part}.one`],
  many: [`kinds.${part}.many`, `kinds.${part}.section`, `kinds.${part}.title`, `kinds.list.${part}s`, `frame.${part}s`],
})

/** A text without variables, as a message: what the format gives a meaning is escaped (ICU MessageFormat). */
const literal = (text: string) => text.replaceAll("'", "''").replace(/[{}<>]/g, "'$&'")

const made = new WeakMap<object, WeakMap<object, OwnTexts>>()

/** The texts by key and language; the same object for the same settings. */
export function ownTextsOf(home: HomeTexts, parts: PartWords): OwnTexts {
  const ofHome = made.get(home) ?? new WeakMap<object, OwnTexts>()
  made.set(home, ofHome)
  const known = ofHome.get(parts)
  if (known) return known
  const texts: Record<keyof OwnTexts, Record<string, string>> = { en: {}, de: {}, others: {} }
  const put = (keys: readonly string[], text: OwnText | undefined) => {
    for (const language of [...LANGUAGES, 'others'] as const) {
      // A text for each language has none for those that the operator added: their own messages stay.
      const said = typeof text === 'string' ? text : language === 'others' ? undefined : text?.[language]
      if (said !== undefined) for (const key of keys) texts[language][key] = literal(said)
    }
  }
  for (const [name, key] of Object.entries(homeKeys)) put([key], home[name as keyof HomeTexts])
  for (const [part, { one, many }] of Object.entries(parts)) {
    put(keysOf(part).one, one)
    put(keysOf(part).many, many)
  }
  ofHome.set(parts, texts)
  return texts
}

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
type HomeTexts = z.output<typeof home>

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
type PartWords = z.output<typeof words>

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

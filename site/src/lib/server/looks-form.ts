// The looks of the server as fields of a form: each setting that is JSON is a few fields by name (`FOOTER_LINKS.0.label.en`), and comes
// back as the text of the setting. What was not changed in the form stays as it was written.

import { isPng, MAX_LOGO_BYTES } from '../../../../src/config/logo.ts'
import { namedParts, type OwnText, textLimits } from '../../../../src/config/site-texts.ts'
import { FALLBACK, LANGUAGES } from '../../../../src/contract/languages.ts'
import { keysOf } from '../../../../src/contract/records.ts'
import { field } from './answers.ts'

type Fields = Readonly<Record<string, string>>
type Read = (name: string) => string

/** The settings of the page, in its order. */
export const looksNames = [
  ...(['SITE_NAME', 'SHORT_NAME', 'LOGO', 'LOGO_DARK', 'ICON', 'ACCENT', 'NEUTRAL', 'DISPLAY_FONT'] as const),
  ...(['HOME_TEXTS', 'PART_WORDS', 'NAVIGATION', 'FOOTER_LINKS', 'OWN_PAGES', 'POWERED_BY'] as const),
] as const
export type LooksName = (typeof looksNames)[number]

export const pictureNames = ['LOGO', 'LOGO_DARK', 'ICON'] as const
const isPicture = (name: string) => pictureNames.some((one) => one === name)

/** One text for all readers, or one for each language. */
function ownTextIn(read: Read, name: string): OwnText | undefined {
  const texts = LANGUAGES.map((language) => [language, read(`${name}.${language}`).trim()] as const)
  const given = texts.filter(([, text]) => text !== '')
  return given.length > 1 ? Object.fromEntries(given) : given[0]?.[1]
}

const fieldsOfText = (name: string, text: OwnText = ''): [string, string][] =>
  typeof text === 'string'
    ? [[`${name}.${FALLBACK}`, text]]
    : Object.entries(text).map(([language, words]) => [`${name}.${language}`, words])

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

interface Link {
  label: OwnText
  url: string
}

const linksIn = (read: Read, name: string): Link[] =>
  numbers(textLimits.links).flatMap((at) => {
    const label = ownTextIn(read, `${name}.${at}.label`)
    const url = read(`${name}.${at}.url`).trim()
    return label === undefined && url === '' ? [] : { label: label ?? '', url }
  })

const fieldsOfLinks = (name: string, links: readonly Link[] = []): [string, string][] =>
  links.flatMap(({ label, url }, at) => [
    ...fieldsOfText(`${name}.${at}.label`, label),
    [`${name}.${at}.url`, url] as [string, string],
  ])

/** Without what is empty; undefined where nothing is left. */
function filled<Value extends object>(value: Value): Partial<Value> | undefined {
  const some = Object.entries(value).filter(([, one]) => one !== undefined && !(Array.isArray(one) && one.length === 0))
  return some.length === 0 ? undefined : (Object.fromEntries(some) as Partial<Value>)
}

const groups = {
  HOME_TEXTS: {
    read: (read: Read) =>
      filled(Object.fromEntries(keysOf(textLimits.home).map((name) => [name, ownTextIn(read, `HOME_TEXTS.${name}`)]))),
    fields: (value: Record<string, OwnText>) =>
      Object.entries(value).flatMap(([name, text]) => fieldsOfText(`HOME_TEXTS.${name}`, text)),
  },
  PART_WORDS: {
    read: (read: Read) =>
      filled(
        Object.fromEntries(
          namedParts.map((part) => {
            const [one, many] = [ownTextIn(read, `PART_WORDS.${part}.one`), ownTextIn(read, `PART_WORDS.${part}.many`)]
            return [part, filled({ one, many })]
          }),
        ),
      ),
    fields: (value: Record<string, { one?: OwnText; many?: OwnText }>) =>
      Object.entries(value).flatMap(([part, { one, many }]) => [
        ...fieldsOfText(`PART_WORDS.${part}.one`, one),
        ...fieldsOfText(`PART_WORDS.${part}.many`, many),
      ]),
  },
  NAVIGATION: {
    read: (read: Read, paths: readonly string[]) => {
      const placed = paths
        .map((path) => ({ path, place: Number.parseInt(read(`NAVIGATION.place.${path}`), 10) }))
        .filter(({ place }) => place > 0)
        .toSorted((one, other) => one.place - other.place)
      const hidden = paths.filter((path) => read(`NAVIGATION.hidden.${path}`) !== '')
      return filled({ first: placed.map(({ path }) => path), hidden, links: linksIn(read, 'NAVIGATION.links') })
    },
    fields: (value: { first?: string[]; hidden?: string[]; links?: Link[] }) => [
      ...(value.first ?? []).map((path, at): [string, string] => [`NAVIGATION.place.${path}`, String(at + 1)]),
      ...(value.hidden ?? []).map((path): [string, string] => [`NAVIGATION.hidden.${path}`, 'on']),
      ...fieldsOfLinks('NAVIGATION.links', value.links),
    ],
  },
  FOOTER_LINKS: {
    read: (read: Read) => some(linksIn(read, 'FOOTER_LINKS')),
    fields: (value: Link[]) => fieldsOfLinks('FOOTER_LINKS', value),
  },
  OWN_PAGES: {
    read: (read: Read) =>
      some(
        numbers(textLimits.pages).flatMap((at) => {
          const slug = read(`OWN_PAGES.${at}.slug`).trim()
          const [title, body] = [ownTextIn(read, `OWN_PAGES.${at}.title`), ownTextIn(read, `OWN_PAGES.${at}.body`)]
          return slug === '' && !title && !body ? [] : { slug, title: title ?? '', body: body ?? '' }
        }),
      ),
    fields: (value: { slug: string; title: OwnText; body: OwnText }[]) =>
      value.flatMap(({ slug, title, body }, at) => [
        [`OWN_PAGES.${at}.slug`, slug] as [string, string],
        ...fieldsOfText(`OWN_PAGES.${at}.title`, title),
        ...fieldsOfText(`OWN_PAGES.${at}.body`, body),
      ]),
  },
}

const some = <Item>(items: readonly Item[]) => (items.length === 0 ? undefined : items)

type GroupName = keyof typeof groups
const isGroup = (name: string): name is GroupName => Object.hasOwn(groups, name)

/** The fields of a setting with this text. */
export function fieldsOf(name: LooksName, text: string | null): Fields {
  if (isPicture(name)) return {}
  if (!isGroup(name)) return { [name]: text ?? '' }
  const fields = groups[name].fields as (value: unknown) => [string, string][]
  return Object.fromEntries(fields(JSON.parse(text ?? (name === 'FOOTER_LINKS' || name === 'OWN_PAGES' ? '[]' : '{}'))))
}

/** The text of a setting from its fields; null for none. Pictures are read apart. */
export function textOf(name: LooksName, read: Read, paths: readonly string[]): string | null {
  if (!isGroup(name)) return read(name).trim() || null
  const value = groups[name].read(read, paths)
  return value === undefined ? null : JSON.stringify(value)
}

/** Refused by the setting. */
const TOO_LARGE = 'data:'

/** The picture that a form has, as a data URL: one that was uploaded, or one of a preview; undefined for none, null where it goes. */
async function pictureIn(form: FormData, name: string): Promise<string | null | undefined> {
  if (form.has(`${name}.remove`)) return null
  const file = form.get(`${name}.file`)
  if (!(file instanceof File) || file.size === 0) return field(form, name).trim() || undefined
  if (file.size > MAX_LOGO_BYTES) return TOO_LARGE
  const bytes = Buffer.from(await file.arrayBuffer())
  const type = isPng(bytes) ? 'image/png' : 'image/svg+xml'
  return `data:${type};base64,${bytes.toString('base64')}`
}

export interface HeldSetting {
  name: string
  value: string | null
  source: string
}

/** What a form changes of the settings that hold; those that the environment sets are no part of it. */
export async function looksChangesIn(
  form: FormData,
  held: readonly HeldSetting[],
  paths: readonly string[],
): Promise<Record<string, string | null>> {
  const changes: Record<string, string | null> = {}
  const read: Read = (name) => field(form, name)
  for (const name of looksNames) {
    const setting = held.find((one) => one.name === name)
    if (!setting || setting.source === 'environment') continue
    if (isPicture(name)) {
      const picture = await pictureIn(form, name)
      if (picture !== undefined && picture !== setting.value) changes[name] = picture
      continue
    }
    const fields = fieldsOf(name, setting.value)
    const before = textOf(name, (one) => fields[one] ?? '', paths)
    const after = textOf(name, read, paths)
    if (after !== before) changes[name] = after
  }
  return changes
}

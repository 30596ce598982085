// A language that an operator adds: its messages, compared with the English ones. Messages are text: they say what they are given, and nothing else.
import { readdirSync, readFileSync } from 'node:fs'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'

// What a message expects of its caller, read by the parser of ICU MessageFormat.

/** What a text expects of its caller: each variable with its type, and the names of its tags. */
interface MessageParameters {
  values: Map<string, string>
  tags: Set<string>
}

/** Reads a text in ICU MessageFormat. Throws for one that is malformed, or has dates, which come as words (words.ts). */
export function expectedOf(text: string): MessageParameters {
  const expected: MessageParameters = { values: new Map(), tags: new Set() }
  readInto(expected, parse(text))
  const both = [...expected.tags].filter((tag) => expected.values.has(tag))
  if (both.length > 0) throw new Error(`${both.join(', ')} names a variable and a tag in: ${text}`)
  return expected
}

function readInto(expected: MessageParameters, elements: readonly MessageFormatElement[]): void {
  const { values, tags } = expected
  for (const element of elements) {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        break
      case TYPE.argument:
        if (!values.has(element.value)) values.set(element.value, 'string | number')
        break
      case TYPE.number:
        if (element.style) throw new Error(`{${element.value}} has a style: numbers have none of their own`)
        values.set(element.value, 'number')
        break
      case TYPE.plural:
      case TYPE.select: {
        const isPlural = element.type === TYPE.plural
        values.set(element.value, isPlural ? 'number' : choiceOf(Object.keys(element.options)))
        for (const { value } of Object.values(element.options)) readInto(expected, value)
        break
      }
      case TYPE.tag:
        tags.add(element.value)
        if (element.children.some(({ type }) => type === TYPE.tag))
          throw new Error(`<${element.value}> has a tag in it`)
        readInto(expected, element.children)
        break
      default:
        throw new Error(`{${element.value}} is a date or a time: give it as words, by the formats of the language`)
    }
  }
}

/** Anything goes where only `other` says something of its own. */
const choiceOf = (options: readonly string[]) =>
  options.length === 1 ? 'string' : options.map((option) => (option === 'other' ? 'string' : `'${option}'`)).join(' | ')

const MESSAGES = new URL('../../messages/', import.meta.url)

/** In UTF-16 units: the longest English message has a sixth of it. */
export const MAX_MESSAGE = 4_000

/** Messages that stay as they are: replies by mail are read by their lines (mail/incoming/body.ts). */
const FIXED: Readonly<Record<string, readonly string[]>> = { mails: ['notices.above'] }

type Texts = Readonly<Record<string, string>>

let english: ReadonlyMap<string, Texts> | undefined

/** The English messages by area; read where a server has a language to compare with them. */
export function englishAreas(): ReadonlyMap<string, Texts> {
  english ??= new Map(
    readdirSync(MESSAGES, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }): [string, Texts] => [
        name,
        JSON.parse(readFileSync(new URL(`${name}/en.json`, MESSAGES), 'utf8')),
      ])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  return english
}

/** What a comparison found: names of messages, each once. */
export interface Comparison {
  /** In English alone: they are said in English. Empty ones are missing too. */
  missing: string[]
  /** Not in English: nothing says them. */
  unknown: string[]
  /** What cannot be said, with the reason. */
  wrong: { name: string; reason: string }[]
  /** What can be said. */
  texts: Record<string, string>
}

/** Compares the messages of an area with the English ones. */
export function compareArea(area: string, given: Readonly<Record<string, unknown>>): Comparison {
  const own = englishAreas().get(area) ?? {}
  const compared: Comparison = { missing: [], unknown: [], wrong: [], texts: {} }
  for (const [name, text] of Object.entries(given)) {
    const source = Object.hasOwn(own, name) && !isFixed(area, name) ? own[name] : undefined
    if (source === undefined) {
      compared.unknown.push(name)
      continue
    }
    const reason = wrongIn(text, source)
    if (reason !== undefined) compared.wrong.push({ name, reason })
    else if (typeof text === 'string' && text.trim() !== '') compared.texts[name] = text
  }
  compared.missing = Object.keys(own).filter(
    (name) => !isFixed(area, name) && (!Object.hasOwn(given, name) || isBlank(given[name])),
  )
  return compared
}

const isFixed = (area: string, name: string) => FIXED[area]?.includes(name) === true

const isBlank = (text: unknown) => typeof text === 'string' && text.trim() === ''

/** Why a text cannot stand in the place of an English one; undefined where it can. */
function wrongIn(text: unknown, source: string): string | undefined {
  if (typeof text !== 'string') return 'is not a text'
  if (isBlank(text)) return undefined
  if (text.length > MAX_MESSAGE) return `has more than ${MAX_MESSAGE} characters`
  if (!text.isWellFormed() || /[^\P{Cc}\n]/u.test(text)) return 'has control characters'
  if (text.includes('\n') && !source.includes('\n')) return 'has a line break, and the English one has none'
  try {
    return differenceOf(expectedOf(text), expectedOf(source))
  } catch (error) {
    return `cannot be read as ICU MessageFormat (${error instanceof Error ? error.message : String(error)})`
  }
}

/** The first difference of what two messages are given. `{site}` is known to all messages. */
function differenceOf(one: MessageParameters, english: MessageParameters): string | undefined {
  const named = ({ values }: MessageParameters) => [...values.keys()].filter((name) => name !== 'site').toSorted()
  const tagged = ({ tags }: MessageParameters) => [...tags].toSorted()
  const listed = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '))
  const [values, wanted] = [listed(named(one)), listed(named(english))]
  if (values !== wanted) return `has the placeholders ${values}, and the English one has ${wanted}`
  const [tags, wantedTags] = [listed(tagged(one)), listed(tagged(english))]
  if (tags !== wantedTags) return `has the tags ${tags}, and the English one has ${wantedTags}`
  for (const [name, type] of one.values) {
    const wantedType = english.values.get(name) ?? 'string | number'
    if (!isSaidBy(type, wantedType)) return `uses {${name}} in another way than the English one`
  }
  return undefined
}

/** A number may be said without its plural, and the other way round; a choice has the same cases. */
function isSaidBy(type: string, wanted: string): boolean {
  const cases = (choice: string) => choice.split(' | ').toSorted().join()
  return cases(type) === cases(wanted) || (wanted === 'number' && type === 'string | number')
}

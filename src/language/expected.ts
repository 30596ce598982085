// What a message expects of its caller, read by the parser of ICU MessageFormat.
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'

/** What a text expects of its caller: each variable with its type, and the names of its tags. */
export interface MessageParameters {
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

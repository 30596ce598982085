// Texts of others in which everything is seen: what a reader would not notice is written out.

/** A picture may be made of several characters, of which some are not seen: those stay, once each and in their place. */
const PICTURE =
  '\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|\\ufe0f)?(?:\\u200d\\p{Extended_Pictographic}\\ufe0f?){0,6}'
/** Controls, formats (directions, tags, joiners), fillers, selectors, what is private or unassigned, and spaces that are another character. */
const UNSEEN =
  '[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}\\p{Cs}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\uffa0\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]|(?! )\\p{Zs}'
/** Where HTML begins: a comment, a tag. */
const MARKUP = '<(?=[!/?A-Za-z])'
/** Where a link of Markdown hides its address: `](`, `][`, `]:`. */
const LINK = '(?<=\\])[(\\[:]'

const inJson = new RegExp(`(${PICTURE})|${UNSEEN}|${MARKUP}|${LINK}`, 'gu')
const inText = new RegExp(`(${PICTURE})|\\r\\n|[\\n\\t]|${UNSEEN}|${MARKUP}|${LINK}`, 'gu')

const unit = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`
const units = (text: string) => Array.from({ length: text.length }, (_, at) => unit(text.charCodeAt(at))).join('')

/** What needs a closer look in ASCII, beside where HTML may begin: a link, and every escape but those of quotes and of ends of lines. */
const UNUSUAL = ['\x7f', '](', '][', ']:', '\\b', '\\f', '\\r', '\\u']
const markup = new RegExp(MARKUP)

/**
 * Whether all of a value in compact JSON shows as it is. Of most answers that is known at a hundredth of the cost of looking closer: V8 finds short
 * texts many times faster than it runs an expression.
 */
export const isPlainJson = (json: string): boolean =>
  Buffer.byteLength(json) === json.length &&
  !UNUSUAL.some((found) => json.includes(found)) &&
  !(json.includes('<') && markup.test(json))

/** JSON of a value with invisible characters escaped. Outside of texts compact JSON has none of them. */
export const visibleJson = (json: string): string =>
  isPlainJson(json) ? json : json.replace(inJson, (found, picture?: string) => picture ?? units(found))

/** A text in which everything is seen: `\u{200b}` in place of what is not. */
export const visibleText = (text: string): string => text.replace(inText, writtenOut)

const writtenOut = (found: string, picture?: string): string =>
  picture !== undefined || /^[\r\n\t]+$/.test(found) ? found : `\\u{${found.codePointAt(0)?.toString(16)}}`

/** On one line, for a name or a message. */
export const visibleLine = (text: string): string => visibleText(text.replace(/\s+/g, ' ').trim())

const unseen = new RegExp(`(${PICTURE})|\\r\\n|[\\n\\t]|${UNSEEN}`, 'gu')

/** A text for a person to judge: `\u{200b}` in place of what is not seen. Markup stays as it is, because the page shows it as text. */
export const shownText = (text: string): string => text.replace(unseen, writtenOut)

const PLAIN: ReadonlySet<string> = new Set(['\r\n', '\n', '\t'])
const ESCAPE = '\\\\ud[89ab][0-9a-f]{2}\\\\ud[c-f][0-9a-f]{2}|\\\\u[0-9a-f]{4}'
const inValue = new RegExp(`(${PICTURE})|(${ESCAPE})|\\r\\n|[\\n\\t]|${UNSEEN}|${MARKUP}`, 'gu')
const isEscapable = new RegExp(`^(?:${UNSEEN}|[<\\\\])$`, 'u')
const escapes = new RegExp(ESCAPE, 'g')

const charOf = (written: string) =>
  String.fromCharCode(...[...written.matchAll(/[0-9a-f]{4}/g)].map(([code]) => Number.parseInt(code, 16)))

/** Whether `visibleValue` writes a character as this escape. No text has NUL or half a surrogate pair. */
function isWrittenOut(written: string): boolean {
  const char = charOf(written)
  return char !== '\0' && char.isWellFormed() && isEscapable.test(char)
}

/**
 * A text of a value, in which everything is seen: six characters, `\u200b`, in place of what is not and of where HTML begins. What already
 * reads like one of these gets an escape for its backslash, so that `heldValue` is the way back.
 */
const seen = (text: string): string => (unusual.test(text) ? writtenOutIn(text) : text)

/** The same of a text. */
const unusual = /[^ -~\n\t]|<[!/?A-Za-z]|\\u/

const writtenOutIn = (text: string): string =>
  text.replace(inValue, (found, picture?: string, written?: string) => {
    if (picture !== undefined || PLAIN.has(found)) return found
    if (written === undefined) return units(found)
    return isWrittenOut(written) ? `${unit(0x5c)}${written.slice(1)}` : written
  })

const held = (text: string): string =>
  text.replace(escapes, (written) => (isWrittenOut(written) ? charOf(written) : written))

/** A value of JSON, in whose texts and names everything is seen. */
export const visibleValue = <T>(value: T): T => ofTexts(value, seen)

/** The value that `visibleValue` showed: its escapes turned back. */
export const heldValue = <T>(value: T): T => ofTexts(value, held)

function ofTexts<T>(value: T, change: (text: string) => string): T
function ofTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => ofTexts(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [change(name), ofTexts(inner, change)]))
}

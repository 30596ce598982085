// What is decided about two ways with a tracker without touching the world: how a text looks there, and which side of a field counts.
import { mac, sameHash, sha256 } from '../../runtime/hash.ts'

/** What both sides had of a field when they were last the same: hashes of the value here and there, which may differ in form. */
export type Sides = readonly [ours: string, theirs: string]

export interface Common {
  /** Where it was written first. */
  made: 'here' | 'there'
  /** The id under which it is made there, until that is known to have been done. */
  madeAs?: string
  title?: Sides
  text?: Sides
  state?: Sides
  /** Names in lower case. */
  labels?: readonly string[]
  /** What is gone on one side is left alone on the other, once that was told. */
  gone?: 'here' | 'there'
}

/** A short name of what a side has. */
export const printOf = (text: string): string => sha256(text).slice(0, 22)

export type Verdict = 'same' | 'take' | 'send' | 'both'

/** Which side of a field changed since they were the same; `read` is theirs in our form. */
export function verdictOf({ ours, theirs, read }: Record<'ours' | 'theirs' | 'read', string>, sides?: Sides): Verdict {
  const isOursNew = sides?.[0] !== printOf(ours)
  const isTheirsNew = sides?.[1] !== printOf(theirs)
  if (!isOursNew && !isTheirsNew) return 'same'
  if (isOursNew && isTheirsNew) return ours === read ? 'same' : 'both'
  return isTheirsNew ? 'take' : 'send'
}

/** Of two edits the later one wins. Theirs have whole seconds: within one, theirs. */
export const isTheirsLater = (ours: string, theirs: string): boolean => Date.parse(theirs) + 999 >= Date.parse(ours)

/** Whether one moment is after another, but for the time that it takes to write something down. */
export const isLater = (one: string, other: string): boolean => Date.parse(one) - Date.parse(other) > 1_000

/** A comment that is nothing but a code. One that quotes it, or that a program wrote around the words of another one, is none. */
const LINK_CODE = /^guildhall-link-[\da-f]{32}$/

/** The code in which a comment says for which account here its person acts. */
export const linkCodeIn = (text: string): string | undefined => LINK_CODE.exec(text.trim())?.[0]

/** Blocks between fences that begin a line, and code within a line. */
const CODE = new RegExp(
  [
    '(?<=^|\\n)(`{3,})[^`\\n]*(?:\\n[^]*?)??(?:\\n {0,3}\\1`*[ \\t]*(?=\\n|$)|$)',
    '(?<=^|\\n)(~{3,})[^\\n]*(?:\\n[^]*?)??(?:\\n {0,3}\\2~*[ \\t]*(?=\\n|$)|$)',
    '(?<![\\\\`])`[^`\\n]+`(?!`)',
  ].join('|'),
  'g',
)
/** What may begin or end code in another way than above, or make text of what looks like it. */
const UNCLEAR = /`|~~~|<[a-z/!?]/i

/** Changes what is no code. Where it is not clear to every reader of Markdown what is code, nothing is. */
function outsideCode(text: string, change: (part: string) => string): string {
  const plain: string[] = []
  const code: string[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(CODE)) {
    plain.push(text.slice(from, index))
    code.push(found)
    from = index + found.length
  }
  plain.push(text.slice(from))
  if (plain.some((part) => UNCLEAR.test(part))) return change(text)
  return plain.map((part, at) => change(part) + (code[at] ?? '')).join('')
}

/** Keeps a name or a number from being one over there: it is taken out again when the text comes back. */
const APART = '\u200b'

/** An @ as HTML writes it, which is one where the text is shown. */
const ENTITY = /&(?=(?:#0*64|#x0*40|commat);)/gi

const escaped = (name: string) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** How a service reads texts. */
export interface Dialect {
  /** Signs before a number, which name something there. */
  numbers: string
  /** Whether a line that begins with a slash is a command there, done as the account of the token. */
  hasCommands: boolean
  /** Whether readers do not see a comment of HTML, so that a mark can be in one. */
  hidesMarks: boolean
  /** How many characters a text has at most. */
  maxText: number
}

export const githubDialect: Dialect = { numbers: '#', hasCommands: false, hidesMarks: true, maxText: 60_000 }
export const gitlabDialect: Dialect = { numbers: '#!', hasCommands: true, hidesMarks: true, maxText: 60_000 }
export const linearDialect: Dialect = { numbers: '', hasCommands: false, hidesMarks: false, maxText: 60_000 }

/** Begins of commands, in code too: what is code there is decided there. */
const COMMAND = /^([ \t]*)\/(?=\w)/gm
const NO_COMMAND = new RegExp(`^([ \\t]*)${APART}/(?=\\w)`, 'gm')

/** Our text as it is there: no person there is called, a number from here is no number there, and one from there is. */
export function textThere(text: string, name: string, { numbers, hasCommands }: Dialect = githubDialect): string {
  const plainly = outsideCode(text, (part) =>
    [...numbers].reduce(
      (changed, sign) =>
        changed
          .replace(new RegExp(`(?<![\\w/&])${sign}(?=\\d)`, 'g'), `${sign}${APART}`)
          .replace(new RegExp(`(?<![\\w/.-])${escaped(name)}${sign}(?=\\d)`, 'gi'), sign),
      part.replace(/@(?=[A-Za-z0-9&])/g, `@${APART}`).replace(ENTITY, `&${APART}`),
    ),
  )
  return hasCommands ? plainly.replace(COMMAND, `$1${APART}/`) : plainly
}

/** Their text as it is here: a number there is said with its repository. */
export function textHere(text: string, name: string, { numbers, hasCommands }: Dialect = githubDialect): string {
  const plainly = outsideCode(text.replaceAll('\r\n', '\n').replaceAll('\0', '').toWellFormed(), (part) =>
    [...numbers].reduce(
      (changed, sign) =>
        changed
          .replace(new RegExp(`(?<![\\w/&])${sign}(?=\\d)`, 'g'), `${name}${sign}`)
          .replaceAll(`${sign}${APART}`, sign),
      part.replaceAll(`@${APART}`, '@').replaceAll(`&${APART}`, '&'),
    ),
  )
  return hasCommands ? plainly.replace(NO_COMMAND, '$1/') : plainly
}

/** Who wrote something, for readers of the other side. */
export interface Mark {
  type: 'bug' | 'comment'
  id: string
  author: string
  site: string
  url: string
}

const plain = (name: string): string =>
  name.replace(/[\\`*_[\]()<>#@!|~\n\r]/g, (sign) => (/\s/.test(sign) ? ' ' : `\\${sign}`))

const tagOf = (key: Buffer, { type, id }: Pick<Mark, 'type' | 'id'>): string =>
  mac(key, `${type} ${id}`).toString('base64url').slice(0, 22)

/** A text from here with the mark of who wrote it, and, with a key, what it is here, which readers there do not see. */
export function marked(text: string, mark: Mark, key?: Buffer): string {
  const said = `**${plain(mark.author)}** wrote on [${plain(mark.site)}](${mark.url}):\n\n${text}`
  return key ? `${said}\n\n<!-- guildhall ${mark.type} ${mark.id} ${tagOf(key, mark)} -->` : said
}

const HEAD = /^\*\*[^\n]{1,200}\*\* wrote on \[[^\n]{0,300}\]\([^\n\s]{1,500}\):\n{1,2}/
const TAIL = /\n{0,2}<!-- guildhall (bug|comment) ([0-9a-f-]{36}) ([\w-]{22}) -->\s*$/

/** The text without its mark. */
export const unmarked = (text: string): string => text.replaceAll('\r\n', '\n').replace(TAIL, '').replace(HEAD, '')

/** What the mark says that something there is here; undefined where it has none from here. */
export function markIn(text: string, key: Buffer): Pick<Mark, 'type' | 'id'> | undefined {
  const [, type, id = '', tag = ''] = TAIL.exec(text) ?? []
  if (type !== 'bug' && type !== 'comment') return undefined
  return sameHash(tag, tagOf(key, { type, id })) ? { type, id } : undefined
}

/** A state as both sides know it. */
export type State = 'open' | 'completed' | 'not_planned'

const states = { open: 'open', in_progress: 'open', resolved: 'completed', wontfix: 'not_planned' } as const

export const stateHere = (status: keyof typeof states): State => states[status]

export const stateThere = ({
  state,
  state_reason: reason,
}: {
  state: string
  state_reason?: string | null | undefined
}): State => {
  if (state === 'open') return 'open'
  return reason === 'not_planned' || reason === 'duplicate' ? 'not_planned' : 'completed'
}

/** The status here of a state. */
export const statuses = { open: 'open', completed: 'resolved', not_planned: 'wontfix' } as const satisfies Record<
  State,
  string
>

export interface LabelChanges {
  take: { name: string; isOn: boolean }[]
  send: { name: string; isOn: boolean }[]
}

/** Which labels changed on which side, by their names in lower case. */
export function labelChanges({
  ours,
  theirs,
  common,
}: Record<'ours' | 'theirs' | 'common', ReadonlySet<string>>): LabelChanges {
  const changes: LabelChanges = { take: [], send: [] }
  for (const name of new Set([...ours, ...theirs, ...common])) {
    const isOn = { ours: ours.has(name), theirs: theirs.has(name) }
    if (isOn.ours === isOn.theirs) continue
    if (isOn.theirs !== common.has(name)) changes.take.push({ name, isOn: isOn.theirs })
    else changes.send.push({ name, isOn: isOn.ours })
  }
  return changes
}

/** What no delivery told is found after so long. */
export const POLL_SECONDS = 60

/** Seconds until something that failed so often is tried again. */
export const waitSeconds = (attempts: number): number => Math.min(3_600, 2 ** Math.min(attempts, 12))

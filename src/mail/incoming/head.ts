// The header block of a mail: it is read first, and before anything is proved, so each line is looked at once.

const MAX_HEAD_BYTES = 65_536
const MAX_HEAD_LINES = 1_000
/** Lines end as RFC 5322 says, or as files of Unix have them. */
const END = /\r?\n\r?\n/
const FIELD = /^([!-9;-~]{1,200})[ \t]*:(.*)$/
/** A return alone, or no character: programs do not agree on what these mean. */
const AMBIGUOUS = /\r(?!\n)|\0/

export interface Head {
  /** The one mailbox that wrote it, in lower case; undefined where there is none, or more than one. */
  from: string | undefined
  messageId: string | undefined
  /** The values of the headers with a name in lower case, topmost first, each as one line. */
  header(name: string): readonly string[]
}

/** The header block of a mail; undefined for what has none, or one that others may read in another way. */
export function readHead(bytes: Buffer): Head | undefined {
  const start = bytes.subarray(0, MAX_HEAD_BYTES).toString('utf8')
  const end = END.exec(start)?.index
  if (end === undefined && bytes.length > MAX_HEAD_BYTES) return undefined
  const block = start.slice(0, end)
  if (AMBIGUOUS.test(block)) return undefined
  const lines = block.split(/\r?\n/)
  const fields = lines.length > MAX_HEAD_LINES ? undefined : fieldsOf(lines)
  if (!fields) return undefined
  const header = (name: string) => fields.get(name) ?? []
  const [from, ...others] = header('from')
  const [messageId] = header('message-id')
  return { from: from === undefined || others.length > 0 ? undefined : mailboxOf(from), messageId, header }
}

function fieldsOf(lines: readonly string[]): ReadonlyMap<string, readonly string[]> | undefined {
  const folded: string[][] = []
  for (const line of lines) {
    if (!/^[ \t]/.test(line)) folded.push([line])
    else if (folded.length === 0) return undefined
    else folded.at(-1)?.push(line)
  }
  const fields = new Map<string, string[]>()
  for (const pieces of folded) {
    const line = pieces.join('')
    const [, name, value = ''] = FIELD.exec(line) ?? []
    if (name === undefined) {
      if (line === '') continue
      return undefined
    }
    const key = name.toLowerCase()
    const values = fields.get(key)
    if (values) values.push(value.trim())
    else fields.set(key, [value.trim()])
  }
  return fields
}

/** A structured value (RFC 5322, 3.2) with a space for each comment and `""` for each quoted string; undefined where one does not end. */
export function bareOf(value: string): string | undefined {
  let [bare, depth, isQuoted] = ['', 0, false]
  for (let at = 0; at < value.length; at++) {
    const character = value[at] ?? ''
    const isInside = isQuoted || depth > 0
    if (character === '\\' && isInside) at++
    else if (isQuoted) isQuoted = character !== '"'
    else if (character === '(') {
      if (depth++ === 0) bare += ' '
    } else if (character === ')' && depth > 0) depth--
    else if (depth === 0) {
      isQuoted = character === '"'
      bare += isQuoted ? '""' : character
    }
  }
  return isQuoted || depth > 0 ? undefined : bare
}

const ADDRESS = /^[^\s"<>(),;:\\@[\]]{1,64}@[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?$/
/** A name of any words, and an address in angles. */
const NAMED = /^[^<>,;:@[\]\\]*<([^<>]*)>$/

/** The address of the one mailbox in a `From`, in lower case; undefined for a group, several, or what can be read in two ways. */
function mailboxOf(value: string): string | undefined {
  const bare = bareOf(value)?.trim()
  const address = (bare && (NAMED.exec(bare)?.[1] ?? bare))?.trim().toLowerCase()
  return address && ADDRESS.test(address) ? address : undefined
}

/** Whether a program wrote a mail by itself (RFC 3834, 5; RFC 2919), or it came from us: it is never answered, and never becomes anything. */
export function isAutomatic(head: Head, { sender, own }: { sender: string; own: (address: string) => boolean }) {
  const said = (name: string) => head.header(name).map((value) => value.toLowerCase())
  return (
    sender === '' ||
    said('auto-submitted').some((value) => !/^no\b/.test(value)) ||
    said('precedence').some((value) => ['bulk', 'junk', 'list', 'auto_reply'].includes(value)) ||
    said('x-auto-response-suppress').some((value) => value !== 'none') ||
    ['list-id', 'list-unsubscribe', 'x-autoreply', 'x-autorespond'].some((name) => head.header(name).length > 0) ||
    [sender, head.from ?? ''].some(own)
  )
}

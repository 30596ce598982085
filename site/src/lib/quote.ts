// The quote of a comment in another one: the first lines of its text, and a link to it. The page's script writes the same.

const MAX_QUOTED = 300

interface Quoted {
  id: string
  authorUsername: string | null
  body: string
}

/** What a comment quotes itself is left out. */
export function quoteOf({ id, authorUsername, body }: Quoted): string {
  const own = body.split(/\r\n?|\n/).filter((line) => !line.startsWith('>'))
  const text = own.join('\n').trim()
  const shown = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed().trimEnd()}…` : text
  const lines = `[${authorUsername ?? 'A member'}](/community/comments/${id}):\n\n${shown}`.split('\n')
  return `${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n`
}

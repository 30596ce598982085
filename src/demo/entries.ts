// The text files of demo/: entries that open with `=== title`, then fields, a body in Markdown, and comments that open with `---
// username, 3d 2h ago`. A syntax error names the entry.
import { required } from '../runtime/untyped.ts'

export interface Comment {
  by: string
  ago: string
  body: string
}

export interface Entry {
  title: string
  body: string
  comments: Comment[]
  /** A field that has to be there. */
  get(name: string): string
  find(name: string): string | undefined
  /** The parts of a field, with `separator` between them; none when it is absent. */
  list(name: string, separator: string): string[]
}

const COMMENT = /^--- ([\w-]+), ([\w ]+) ago$/m
const FIELD = /^(\w+): (.+)$/

export function readEntries(text: string): Entry[] {
  const [, ...parts] = `\n${text}`.split(/\n=== /)
  return parts.map(readEntry)
}

function readEntry(text: string): Entry {
  const [opening = '', ...said] = text.split(COMMENT)
  const [title = '', ...lines] = opening.split('\n')
  const end = lines.findIndex((line) => !FIELD.test(line))
  const fields = new Map(
    lines.slice(0, end).map((line): [string, string] => {
      const [, name = '', value = ''] = FIELD.exec(line) ?? []
      return [name, value]
    }),
  )
  const find = (name: string) => fields.get(name)
  const comments: Comment[] = []
  for (let at = 0; at < said.length; at += 3) {
    comments.push({ by: required(said[at]), ago: required(said[at + 1]), body: required(said[at + 2]).trim() })
  }
  return {
    title,
    body: lines.slice(end).join('\n').trim(),
    comments,
    find,
    get(name) {
      const value = find(name)
      if (value === undefined) throw new Error(`${title}: has no field ${name}`)
      return value
    },
    list: (name, separator) =>
      find(name)
        ?.split(separator)
        .map((part) => part.trim()) ?? [],
  }
}

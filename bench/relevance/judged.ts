// The queries and pairs of this folder: what was judged by hand, in groups. A thing is named by its type and the beginning of its title.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Judged {
  group: string
  /** A query, or a new title. */
  text: string
  wanted: WantedHit[]
}

interface WantedHit {
  type: string
  begins: string
  /** Whose comment it is. */
  author?: string
}

/** What a hit says of itself. */
export interface Named {
  type: string
  title: string
  authorUsername: string | null
}

const COMMENT = /^comment ([\w-]+): (.+)$/

/** The lines of a file, each with its group; before the first group the file says what it is. */
export const readJudged = (name: string): Judged[] => judgedIn(readFileSync(join(import.meta.dirname, name), 'utf8'))

export function judgedIn(file: string): Judged[] {
  return file
    .split(/^# /m)
    .slice(1)
    .flatMap((part) => {
      const [heading = '', ...lines] = part.trim().split('\n')
      const [group = ''] = heading.split(':')
      return lines.map((line) => judged(group, line))
    })
}

function judged(group: string, line: string): Judged {
  const [text, wanted, ...more] = line.split(' => ')
  if (!text || !wanted || more.length > 0) throw new Error(`${line}: is not "text => type beginning-of-title"`)
  return { group, text, wanted: wanted.split(' | ').map(wantedIn) }
}

function wantedIn(text: string): WantedHit {
  const [, author, begins] = COMMENT.exec(text) ?? []
  if (author && begins) return { type: 'comment', begins, author }
  const at = text.indexOf(' ')
  return { type: text.slice(0, at), begins: text.slice(at + 1) }
}

const isNamed = ({ type, begins, author }: WantedHit, thing: Named): boolean =>
  thing.type === type && thing.title.startsWith(begins) && (author === undefined || author === thing.authorUsername)

export const isWanted = ({ wanted }: Pick<Judged, 'wanted'>, thing: Named): boolean =>
  wanted.some((one) => isNamed(one, thing))

/** Throws where what is wanted is not there, or several things are named so. */
export function assertThere(all: readonly Judged[], things: readonly Named[]): void {
  for (const { text, wanted } of all) {
    for (const one of wanted) {
      const titles = new Set(things.filter((thing) => isNamed(one, thing)).map(({ title }) => title))
      if (titles.size !== 1) throw new Error(`${text}: ${titles.size} things are ${one.type} ${one.begins}`)
    }
  }
}

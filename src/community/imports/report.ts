// What an import says of itself: the records that were read, left out and written.
import { filesIn, picturesIn } from '../../formats/imports/pictures.ts'
import type { ImportRecord, StagedRecord } from '../../formats/imports/record.ts'
import type { ImportDone, ImportReport } from './contract.ts'

export const NOTHING_DONE: ImportDone = {
  things: 0,
  comments: 0,
  votes: 0,
  people: 0,
  matched: 0,
  labels: 0,
  skipped: 0,
  pictures: 0,
  picturesLeft: 0,
}

/** States and reasons in a report: what is beyond is counted together. */
const MOST_WORDS = 100

const added = (counts: Map<string, number>, word: string, count = 1) => {
  const known = counts.has(word) || counts.size < MOST_WORDS ? word : 'others'
  counts.set(known, (counts.get(known) ?? 0) + count)
}

/** Counts records as they are read. */
export class Reporting {
  readonly #counts = { bug: 0, feature: 0, post: 0, comment: 0, vote: 0, person: 0, label: 0 }
  readonly #states = new Map<string, number>()
  readonly #leftOut = new Map<string, number>()
  readonly #things = new Map<string, boolean>()
  readonly #waiting = new Map<string, { comment: number; vote: number }>()
  #long = 0
  #pictures = 0
  #withoutAuthor = 0

  add(record: ImportRecord, { longest, to }: { longest: number; to: string }): void {
    if (record.type === 'left out') {
      this.leaveOut(record.what, record.count)
      return
    }
    this.#counts[record.type === 'thing' ? record.kind : record.type]++
    if (record.type === 'comment' || record.type === 'vote') this.#expect(record)
    if (record.type !== 'thing' && record.type !== 'comment') return
    if (record.text.length > longest) this.#long++
    this.#pictures += picturesIn(record.text).length
    const files = filesIn(record.text)
    if (files > 0) this.leaveOut('files that texts link: the links stay', files)
    if (record.author === undefined) this.#withoutAuthor++
    if (record.type === 'comment') return
    if (record.isPinned) this.leaveOut('pins')
    this.#things.set(record.id, true)
    added(this.#states, JSON.stringify([record.stateWords ?? record.state, to]))
  }

  leaveOut(what: string, count = 1): void {
    added(this.#leftOut, what, count)
  }

  /** A comment or a vote may come before its thing. */
  #expect({ type, thing }: Extract<StagedRecord, { type: 'comment' | 'vote' }>): void {
    if (this.#things.has(thing)) return
    const waiting = this.#waiting.get(thing) ?? { comment: 0, vote: 0 }
    waiting[type]++
    this.#waiting.set(thing, waiting)
  }

  /** The report, when everything was read. */
  end(read: Pick<ImportReport, 'doubled' | 'already' | 'keepsNumbers' | 'enclosed'>): ImportReport {
    for (const [thing, { comment, vote }] of this.#waiting) {
      if (this.#things.has(thing)) continue
      if (comment > 0) this.leaveOut('comments on what is not in the files', comment)
      if (vote > 0) this.leaveOut('votes on what is not in the files', vote)
    }
    const { bug, feature, post, comment, vote, person, label } = this.#counts
    return {
      ...{ bugs: bug, features: feature, posts: post, comments: comment, votes: vote, people: person, labels: label },
      ...read,
      ...{ long: this.#long, withoutAuthor: this.#withoutAuthor },
      pictures: this.#pictures,
      states: [...this.#states].map(([words, count]) => {
        const [from = 'others', to = 'others'] = words === 'others' ? [] : (JSON.parse(words) as string[])
        return { from, to, count }
      }),
      leftOut: [...this.#leftOut].map(([what, count]) => ({ what, count })),
    }
  }
}

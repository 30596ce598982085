// Reads the files of a source in passes, so that a thing comes before its comments and votes, and a comment before its answers, in any order that the
// files have them. Only ids are kept between the passes. What cannot be taken is counted with its reason.
import { quote } from '../format-error.ts'
import { type Cleaned, cleaned, type RawRecord } from './cleaning.ts'
import type { FileRecord } from './json-records.ts'
import { type GivenRecord, SourceError, type SourceFile } from './record.ts'

/** How the files of a source are read. */
export interface SourceReading {
  /** What its records are, for the message about a file that has others. */
  what: string
  /** Whether a file, by its name, is one that records are read from; without it, each is. */
  takes?(name: string): boolean
  recordsOf(file: SourceFile): AsyncIterable<FileRecord>
  /** All that a record holds, in each pass; undefined for a record of no known form. */
  find(value: unknown, file: string): Iterable<RawRecord> | undefined
  /** Names of files that say more of people and labels than others do: they are read before these. */
  first?: RegExp
  /** People and labels are in files of their own, so they are read before the things. */
  peopleFirst?: boolean
  /** What is known only after the last record. */
  finish?(): Iterable<RawRecord>
}

type Pass = 'people' | 'things' | 'people and things' | 'answers' | 'later answers' | 'last answers'
type RecordOf<Type extends GivenRecord['type']> = Extract<GivenRecord, { type: Type }>

const MAX_IDS = 5_000_000
/** Answers that come before what they answer are read in further passes, and at last without their place. */
const MAX_PASSES = 64

export async function* take(files: readonly SourceFile[], reading: SourceReading): AsyncIterable<GivenRecord> {
  const taking = new Taking(reading)
  const taken = files.filter(({ name }) => reading.takes?.(name) ?? true)
  const isLater = ({ name }: SourceFile) => Number(!reading.first?.test(name))
  taken.sort((one, other) => isLater(one) - isLater(other))
  if (taken.length === 0) throw new SourceError(`expected files with ${reading.what}`)
  if (taken.length < files.length) taking.leaveOut('files that hold nothing for an import', files.length - taken.length)
  if (reading.peopleFirst) yield* taking.pass(taken, 'people')
  yield* taking.pass(taken, reading.peopleFirst ? 'things' : 'people and things')
  yield* taking.pass(taken, 'answers')
  for (let passes = 0; taking.waiting > 0; passes++) {
    const before = taking.waiting
    const isLast = passes === MAX_PASSES
    yield* taking.pass(taken, isLast ? 'last answers' : 'later answers')
    if (isLast) break
    if (taking.waiting === before) yield* taking.pass(taken, 'last answers')
  }
  yield* taking.end()
}

/** Each pass gives records of these types; people and labels are all known after the first. */
const TYPES: Record<Pass, ReadonlySet<RawRecord['type']>> = {
  people: new Set(['person', 'label']),
  things: new Set(['thing', 'left out']),
  'people and things': new Set(['person', 'label', 'thing', 'left out']),
  answers: new Set(['comment', 'vote']),
  'later answers': new Set(['comment']),
  'last answers': new Set(['comment']),
}

class Taking {
  /** Comments whose parent had not come when they were read in this pass. */
  waiting = 0
  readonly #reading: SourceReading
  readonly #people = new Set<string>()
  readonly #labels = new Set<string>()
  readonly #things = new Set<string>()
  /** The thing of each comment. */
  readonly #comments = new Map<string, string>()
  readonly #votes = new Set<string>()
  readonly #leftOut = new Map<string, number>()
  #pass: Pass = 'things'

  constructor(reading: SourceReading) {
    this.#reading = reading
  }

  leaveOut(what: string, count = 1): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count)
  }

  async *pass(files: readonly SourceFile[], pass: Pass): AsyncIterable<GivenRecord> {
    this.#pass = pass
    this.waiting = 0
    for (const file of files) {
      let isFirst = true
      for await (const { value, place } of this.#reading.recordsOf(file)) {
        const found = this.#reading.find(value, file.name)
        if (found) yield* this.#give(found)
        else if (isFirst) throw new SourceError(`${quote(file.name)}, ${place}: expected ${this.#reading.what}`)
        else if (TYPES[pass].has('left out')) this.leaveOut('entries of an unknown form')
        isFirst = false
      }
    }
  }

  *end(): Iterable<GivenRecord> {
    for (const found of this.#reading.finish?.() ?? []) {
      if (found.type === 'left out') this.leaveOut(found.what, found.count)
    }
    for (const [what, count] of this.#leftOut) yield { type: 'left out', what: what.slice(0, 200), count }
  }

  *#give(all: Iterable<RawRecord>): Iterable<GivenRecord> {
    for (const found of all) {
      if (!TYPES[this.#pass].has(found.type)) continue
      if (found.type === 'left out') this.leaveOut(found.what, found.count)
      else yield* this.#take(cleaned(found))
    }
  }

  /** Nothing for what came before or has no place. The reasons are counted in the first pass that meets them. */
  *#take(clean: Cleaned): Iterable<GivenRecord> {
    if ('reason' in clean) {
      if (!this.#isRepeated()) this.leaveOut(clean.reason)
      return
    }
    const { record, lost } = clean
    const given = this.#placed(record)
    if (!given) return
    if (this.#size() > MAX_IDS) throw new SourceError(`an import has at most ${MAX_IDS} records`)
    for (const what of lost) this.leaveOut(what)
    if (given.type === 'thing') yield* this.#newLabels(given.labels ?? [])
    yield given
  }

  #placed(record: GivenRecord): GivenRecord | undefined {
    switch (record.type) {
      case 'person':
        return this.#isNew(this.#people, record.id) ? record : undefined
      case 'label':
        return this.#isNew(this.#labels, record.name) ? record : undefined
      case 'thing':
        return this.#placedThing(record)
      case 'comment':
        return this.#placedComment(record)
      case 'vote':
        return this.#placedVote(record)
      case 'left out':
        return record
    }
  }

  #placedThing(record: RecordOf<'thing'>): GivenRecord | undefined {
    if (this.#isNew(this.#things, record.id)) return this.#withAuthor(record)
    this.leaveOut('things whose id came before')
    return undefined
  }

  #placedComment(record: RecordOf<'comment'>): GivenRecord | undefined {
    if (this.#comments.has(record.id)) {
      if (!this.#isRepeated()) this.leaveOut('comments whose id came before')
      return undefined
    }
    if (!this.#things.has(record.thing)) {
      if (!this.#isRepeated()) this.leaveOut('comments of things that are not there')
      return undefined
    }
    const { parent, ...rest } = record
    const isPlaced = parent === undefined || this.#comments.get(parent) === record.thing
    if (!isPlaced && this.#pass !== 'last answers') {
      this.waiting += 1
      return undefined
    }
    if (!isPlaced) this.leaveOut('places of answers to comments that are not there')
    this.#comments.set(record.id, record.thing)
    return this.#withAuthor(isPlaced ? record : rest)
  }

  #placedVote(record: RecordOf<'vote'>): GivenRecord | undefined {
    const reason = !this.#things.has(record.thing)
      ? 'votes for things that are not there'
      : !this.#people.has(record.person)
        ? 'votes of people who are not there'
        : !this.#isNew(this.#votes, `${record.thing}\n${record.person}`)
          ? 'further votes of one person for one thing'
          : undefined
    if (reason === undefined) return record
    this.leaveOut(reason)
    return undefined
  }

  #withAuthor<Record extends RecordOf<'thing'> | RecordOf<'comment'>>(record: Record): Record {
    const { author, ...rest } = record
    if (author === undefined || this.#people.has(author)) return record
    this.leaveOut('authors who are not among the people')
    return rest as Record
  }

  *#newLabels(names: readonly string[]): Iterable<GivenRecord> {
    for (const name of names) {
      if (this.#isNew(this.#labels, name)) yield { type: 'label', name }
    }
  }

  #isRepeated(): boolean {
    return this.#pass === 'later answers' || this.#pass === 'last answers'
  }

  #isNew(ids: Set<string>, id: string): boolean {
    if (ids.has(id)) return false
    ids.add(id)
    return true
  }

  #size(): number {
    return this.#people.size + this.#labels.size + this.#things.size + this.#comments.size + this.#votes.size
  }
}

// The words that there are: those that a word begins, those that are spelt like it, and how often terms are used. Every read is bounded.
import { type RawBuilder, sql } from 'kysely'
import { among } from '../database/engine.ts'
import { type Bind, prepared } from '../database/prepared.ts'
import type { Db } from '../database/schema.ts'
import { reversedOf } from './document.ts'
import { editsFor, type VocabularyWord } from './typos.ts'

/** After every word that begins with the same letters. */
const END = '\u{10ffff}'
/** So many words are looked at, in the order of the alphabet, and so many of them searched for. */
const MAX_LOOKED_AT = 500
const MAX_BEGUN = 32

type Range = { from: string; end: string }

const begun = prepared((db, given: Bind<Range>) => ({
  compile: () =>
    sql<VocabularyWord>`select w.word, w.term, coalesce(c.count, 0) as count from (
        select word, term, length from "searchWord" where word >= ${given('from')} and word < ${given('end')}
        order by word limit ${sql.lit(MAX_LOOKED_AT)}) w
      left join "searchCount" c on c.term = w.term
      order by 3 desc, w.length, w.word limit ${sql.lit(MAX_BEGUN)}`.compile(db),
}))

/** Words that begin with these letters: the most used first, then the shortest. */
export async function listBegun(db: Db, beginning: string): Promise<readonly VocabularyWord[]> {
  return (await begun(db, { from: beginning, end: beginning + END })).rows
}

const termCounts = prepared((db, given: Bind<{ terms: string }>) =>
  db
    .selectFrom('searchCount')
    .select(['term', 'count'])
    .where('term', ...among(db, given('terms'))),
)

/** How many of the counted documents have a term; one that none has is not in the map. */
export async function mapCounts(db: Db, terms: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await termCounts(db, { terms: JSON.stringify(terms) })
  return new Map(rows.map(({ term, count }) => [term, count]))
}

const knownWords = prepared((db, given: Bind<{ words: string }>) =>
  db
    .selectFrom('searchWord')
    .select('word')
    .where('word', ...among(db, given('words'))),
)

/** Those of some words that a document has, or had. */
export async function listKnown(db: Db, words: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await knownWords(db, { words: JSON.stringify(words) })
  return new Set(rows.map(({ word }) => word))
}

type Spelling = { from: string; end: string; reversedFrom: string; reversedEnd: string } & Record<
  `length${number}`,
  number
>

/** Words that begin, or end, as the wrong one does, of each length that it may have: some are there twice. Only indexes are read. */
const similar = ([1, 2] as const).map((edits) =>
  prepared((db, given: Bind<Spelling>) => {
    const lengths = Array.from({ length: 2 * edits + 1 }, (_, at) => given(`length${at}`))
    const looks = lengths.flatMap((length): RawBuilder<unknown>[] => [
      look(length, 'word', { from: given('from'), end: given('end') }),
      look(length, 'reversed', { from: given('reversedFrom'), end: given('reversedEnd') }),
    ])
    return {
      compile: () => sql<{ word: string }>`${sql.join(looks, sql` union all `)}`.compile(db),
    }
  }),
)

const look = (length: number, column: string, { from, end }: Range) =>
  sql`select word from (select word from "searchWord" where reversed is not null and length = ${length}
    and ${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${end}
    order by ${sql.ref(column)} limit ${sql.lit(MAX_LOOKED_AT)}) looked`

/**
 * Words of about the length of a wrong one that begin or end as it does: an edit is in one half of a word, so the other half is right.
 * Of two edits at most one is in the first or in the last three letters, for most errors that people make.
 */
export async function listSimilar(db: Db, wrong: string): Promise<ReadonlySet<string>> {
  const edits = editsFor(wrong)
  const backwards = reversedOf(wrong)
  const query = similar[edits - 1]
  if (!query || backwards === null) return new Set()
  const size = [...wrong].length
  const beginning = wrong.slice(0, edits === 1 ? Math.floor(size / 2) : 3)
  const ending = backwards.slice(0, edits === 1 ? size - Math.floor(size / 2) - 1 : 3)
  const lengths = Object.fromEntries(
    Array.from({ length: 2 * edits + 1 }, (_, at) => [`length${at}`, size - edits + at]),
  )
  const range = { from: beginning, end: beginning + END, reversedFrom: ending, reversedEnd: ending + END }
  const { rows } = await query(db, { ...range, ...lengths })
  return new Set(rows.map(({ word }) => word))
}

// A collection of documents with queries and judgements of which document answers which query, in the forms that such collections have:
// texts as in Cranfield's (.I, .T, .W), judgements and runs as trec_eval reads them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface CollectionText {
  title: string
  text: string
}

/** Documents that were found, the best first, by their numbers from 1; those of each query. */
export type Run = readonly (readonly number[])[]

export interface Collection {
  documents: CollectionText[]
  queries: string[]
  /** For each query how much the documents say, by their numbers. */
  judgements: ReadonlyMap<number, number>[]
  /** What others found, by the names of the files. */
  runs: ReadonlyMap<string, Run>
}

/** So many documents of each query count. */
export const DEPTH = 50

const line = (text: string) => text.replace(/\s+/g, ' ').trim()

function textsOf(file: string): CollectionText[] {
  const records = readFileSync(file, 'utf8').split(/^\.I .*$/m)
  return records.slice(1).map((record) => {
    const parts = new Map(record.split(/^\.(?=[A-Z]$)/m).map((part) => [part.slice(0, 1), line(part.slice(1))]))
    return { title: parts.get('T') ?? '', text: parts.get('W') ?? '' }
  })
}

const rowsOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))

export function readCollection(folder: string): Collection {
  const names = readdirSync(folder)
  const named = (pattern: RegExp) => join(folder, names.find((name) => pattern.test(name)) ?? String(pattern))
  const queries = textsOf(named(/\.qry$/)).map(({ text }) => text)
  const judgements = queries.map(() => new Map<number, number>())
  for (const [query, , document, gain] of rowsOf(named(/^qrel/))) {
    judgements[Number(query) - 1]?.set(Number(document), Number(gain))
  }
  const runs = names.filter((name) => name.startsWith('results'))
  const runOf = (name: string) => {
    const found = queries.map((): number[] => [])
    for (const [query, , document] of rowsOf(join(folder, name))) found[Number(query) - 1]?.push(Number(document))
    return found
  }
  return {
    documents: textsOf(named(/\.all/)),
    queries,
    judgements,
    runs: new Map(runs.map((name) => [name, runOf(name)])),
  }
}

/** Mean average precision, where every judged document answers, and the mean nDCG at 10, which goes by the gains. */
export function scoresOf(run: Run, { judgements }: Pick<Collection, 'judgements'>): { map: number; ndcg: number } {
  const mean = (one: (query: ReadonlyMap<number, number>, found: readonly number[]) => number) =>
    judgements.reduce((sum, query, at) => sum + one(query, (run[at] ?? []).slice(0, DEPTH)), 0) / judgements.length
  return { map: mean(averagePrecision), ndcg: mean(ndcgAt10) }
}

function averagePrecision(judged: ReadonlyMap<number, number>, found: readonly number[]): number {
  let [hits, sum] = [0, 0]
  for (const [at, document] of found.entries()) if (judged.has(document)) sum += ++hits / (at + 1)
  return judged.size === 0 ? 0 : sum / judged.size
}

const gainOf = (gains: readonly number[]) =>
  gains.slice(0, 10).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0)

function ndcgAt10(judged: ReadonlyMap<number, number>, found: readonly number[]): number {
  const ideal = gainOf([...judged.values()].sort((a, b) => b - a))
  return ideal === 0 ? 0 : gainOf(found.map((document) => judged.get(document) ?? 0)) / ideal
}

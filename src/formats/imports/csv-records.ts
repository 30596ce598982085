// The rows of a table in CSV (RFC 4180), one by one, with commas, semicolons or tabs between the cells. A row is an object of its cells by column.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { quote } from '../format-error.ts'
import type { FileRecord } from './json-records.ts'
import { SourceError, type SourceFile } from './record.ts'

export interface Row {
  columns: readonly string[]
  /** Empty for a row that has other cells than the first row has columns. */
  cells: readonly string[]
  /** From 1; 0 is the row of the columns. */
  number: number
}

const MAX_ROW = 4 * 1024 * 1024
const MAX_COLUMNS = 1_000
const MAX_ROWS = 2_000_000
/** Of the beginning of a file, in which the row of the columns is looked at. */
const BEGINNING = 64 * 1024

export async function* csvRecords(file: SourceFile): AsyncIterable<FileRecord> {
  const [beginning, texts] = await begin(textsOf(file))
  const rows = parse({
    delimiter: delimiterOf(beginning),
    relax_column_count: true,
    // `5" wide` in a cell without quotes is meant as it is.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
  })
  const fed = pipeline(Readable.from(texts), rows)
  fed.catch(() => undefined)
  let columns: string[] | undefined
  let number = 0
  try {
    for await (const cells of rows as AsyncIterable<string[]>) {
      if (!columns) {
        columns = cells.map((cell) => cell.trim())
        if (columns.length > MAX_COLUMNS)
          throw new SourceError(`${quote(file.name)}: a table has at most ${MAX_COLUMNS} columns`)
        yield { value: { columns, cells: columns, number: 0 } satisfies Row, place: 'row of the columns' }
        continue
      }
      number += 1
      if (number > MAX_ROWS) throw new SourceError(`${quote(file.name)}: a table has at most ${MAX_ROWS} rows`)
      yield { value: { columns, cells: fitting(cells, columns.length), number } satisfies Row, place: `row ${number}` }
    }
  } catch (error) {
    throw error instanceof CsvError ? refusal(file.name, error) : error
  }
  if (!columns)
    throw new SourceError(`${quote(file.name)}: expected a table with a row of columns, and there is nothing`)
}

/** Cells that are too many are no matter if they are empty, as spreadsheets write them. */
function fitting(cells: string[], columns: number): string[] {
  if (cells.length < columns) return []
  return cells.slice(columns).every((cell) => cell.trim() === '') ? cells.slice(0, columns) : []
}

const REASONS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell does not end',
  CSV_MAX_RECORD_SIZE: `a row has at most ${MAX_ROW} bytes: is a quote missing?`,
}

function refusal(name: string, error: CsvError): SourceError {
  // Its count includes the row of the columns.
  const rows = Math.max(Number(Reflect.get(error, 'records') ?? 0) - 1, 0)
  return new SourceError(`${quote(name)}, after row ${rows}: ${REASONS[error.code] ?? 'this is not CSV'}`)
}

async function* textsOf(file: SourceFile): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw new SourceError(`${quote(file.name)}: expected text in UTF-8`)
    }
  }
  for await (const bytes of file.read()) yield decode(bytes)
  yield decode()
}

/** The beginning, and all of it again with the beginning. */
async function begin(texts: AsyncGenerator<string>): Promise<[string, AsyncIterable<string>]> {
  let beginning = ''
  let next = await texts.next()
  for (; !next.done; next = await texts.next()) {
    beginning += next.value
    if (beginning.length > BEGINNING) break
  }
  return [
    beginning,
    (async function* () {
      yield beginning
      if (!next.done) yield* texts
    })(),
  ]
}

/** What separates the cells of the first row: the one that is there most often outside of quotes. */
function delimiterOf(text: string): string {
  const counts = new Map([',', ';', '\t'].map((delimiter) => [delimiter, 0]))
  let quoted = false
  for (const character of text) {
    if (character === '"') quoted = !quoted
    if (quoted) continue
    if (character === '\n' || character === '\r') break
    const count = counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
  }
  const [best] = [...counts].sort(([, one], [, other]) => other - one)
  return best?.[0] ?? ','
}

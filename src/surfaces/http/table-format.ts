// In which format a list is asked for: `format` in its query, or a media type that is preferred to JSON in `Accept` (RFC 9110, 12.5.1).

export type TableFormat = 'csv' | 'jsonl'

export const tableFormats = ['json', 'csv', 'jsonl'] as const

/** By media type. Lines of JSON have two other names besides `application/jsonl`, none of which is registered. */
const formats: Readonly<Record<string, (typeof tableFormats)[number]>> = {
  'text/csv': 'csv',
  'application/jsonl': 'jsonl',
  'application/x-ndjson': 'jsonl',
  'application/ndjson': 'jsonl',
  'application/json': 'json',
  'application/*': 'json',
  '*/*': 'json',
}

/** Almost every request asks for JSON: one look tells. */
const NAMES_TABLE = /text\/csv|jsonl|ndjson/i

/** The format that a request names, by its query before its headers; `unknown` for one that there is not. */
export function formatAsked(
  query: string | undefined,
  accept: string | null,
): (typeof tableFormats)[number] | 'unknown' {
  if (query === undefined) return tableIn(accept) ?? 'json'
  return tableFormats.find((known) => known === query) ?? 'unknown'
}

/** The table that `Accept` prefers to JSON. What is named counts before a range of equal weight, and JSON before a table. */
export function tableIn(accept: string | null | undefined): TableFormat | undefined {
  if (!accept || !NAMES_TABLE.test(accept)) return undefined
  const ranked = accept
    .toLowerCase()
    .split(',')
    .flatMap((one) => {
      const [type = '', ...parameters] = one.split(';').map((part) => part.trim())
      const format = Object.hasOwn(formats, type) ? formats[type] : undefined
      const weight = weightOf(parameters)
      const isJson = format === 'json'
      return format && weight > 0 ? [{ format, weight, rank: type.includes('*') ? 0 : isJson ? 2 : 1 }] : []
    })
    .sort((a, b) => b.weight - a.weight || b.rank - a.rank)
  const first = ranked[0]?.format
  return first === 'json' ? undefined : first
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((one) => one.startsWith('q='))
  const weight = given === undefined ? 1 : Number(given.slice(2))
  return weight >= 0 && weight <= 1 ? weight : 0
}

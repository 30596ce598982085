// Which column of a table is which field, as a form or a command says it.
import { Problem } from '../../contract/problem.ts'

/** The columns in a JSON object of texts. Throws `invalid_request`. */
export function columnsIn(text: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text)
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    if (entries.length > 0 && entries.every(([, column]) => typeof column === 'string'))
      return Object.fromEntries(entries)
  } catch {
    // Said below.
  }
  throw new Problem('invalid_request', 'columns: must be JSON, an object of texts')
}

// CSV as spreadsheets read it (RFC 4180): UTF-8 with a mark at its beginning, without which Excel takes it for another encoding, and no cell that
// a spreadsheet would run as a formula. Programs that want values as they are read JSON lines.

export type CsvCell = string | number | boolean | null | undefined

/** The byte order mark, before the row of headers. */
export const CSV_START = '\ufeff'
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

/** What spreadsheets take for the beginning of a formula, or skip before one (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n]/

/** Numbers stay numbers, also negative ones. */
const textOf = (cell: CsvCell): string =>
  typeof cell === 'string' && FORMULA.test(cell) ? `'${cell.toWellFormed()}` : String(cell ?? '').toWellFormed()

const quoted = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map((cell) => quoted(textOf(cell))).join()}\r\n`

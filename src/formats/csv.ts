// CSV as spreadsheets read it (RFC 4180): UTF-8 with a mark at its beginning, without which Excel takes it for another encoding, and no cell that
// a spreadsheet would run as a formula. Programs that want values as they are read JSON lines.

export type CsvCell = string | number | boolean | null | undefined

/** The byte order mark, before the row of headers. */
export const CSV_START = '\ufeff'
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

/** What spreadsheets skip before a formula at the beginning of a cell (OWASP, CSV injection). */
const SKIPPED = /^[\t\r\n]/
/**
 * What spreadsheets take for a formula: at the beginning of a cell, and where one begins for those that separate cells by semicolons (Excel, in
 * German) or tabs. They see no quotation mark that has only a comma before it, so that a line break ends a row for them too.
 */
const BEFORE = /(?:[;\t\r\n]|^)[\s"]*/g
const FORMULA = /[=+\-@]/

/** Each run of what may stand before a formula is looked at once: a text can be all line breaks. */
function guarded(text: string): string {
  const inside = text.replace(BEFORE, (run: string, at: number) =>
    FORMULA.test(text[at + run.length] ?? '') ? `${run}'` : run,
  )
  return SKIPPED.test(inside) ? `'${inside}` : inside
}

/** Numbers stay numbers, also negative ones. */
const textOf = (cell: CsvCell): string =>
  typeof cell === 'string' ? guarded(cell.toWellFormed()) : String(cell ?? '').toWellFormed()

const quoted = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map((cell) => quoted(textOf(cell))).join()}\r\n`

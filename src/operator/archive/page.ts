// The tables of docs/spec/formats.md that say what an archive of an instance has, and what it leaves out: derived from dispositions.ts.
import { readFileSync } from 'node:fs'
import { changedColumns, columnsOf, keptTables, leftOutColumns, leftOutRows, leftOutTables } from './dispositions.ts'

const PAGE = 'docs/spec/formats.md'
const BEGIN = '<!-- derived: what an archive has -->'
const END = '<!-- end -->'

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
const named = (reasons: Readonly<Record<string, string>>) =>
  Object.entries(reasons).map(([name, why]) => row(`\`${name}\``, why))

function tables(): string {
  const reasons = Object.entries(leftOutTables).reduce((all, [table, why]) => {
    all.set(why, [...(all.get(why) ?? []), `\`${table}\``])
    return all
  }, new Map<string, string[]>())
  return [
    'Tables that are left out, by why:',
    '',
    row('why', 'tables'),
    row('---', '---'),
    ...[...reasons].map(([why, names]) => row(why, names.join(', '))),
    '',
    'Columns and rows that are left out, and columns with another value than the row:',
    '',
    row('left out', 'why'),
    row('---', '---'),
    ...named(leftOutColumns),
    ...Object.entries(leftOutRows).map(([name, why]) => row(`rows of \`${name}\``, why)),
    '',
    row('changed', 'how'),
    row('---', '---'),
    ...named(changedColumns),
    '',
    'Tables that it has, in this order, with their columns:',
    '',
    row('table', 'columns'),
    row('---', '---'),
    ...keptTables.map((table) =>
      row(
        `\`${table}\``,
        columnsOf(table)
          .map((column) => `\`${column}\``)
          .join(', '),
      ),
    ),
  ].join('\n')
}

/** The page with its tables as they are now. */
export function formatsPage(): string {
  const [before = '', rest = ''] = readFileSync(PAGE, 'utf8').split(BEGIN)
  return `${before}${BEGIN}\n\n${tables()}\n\n${END}${rest.split(END)[1] ?? ''}`
}

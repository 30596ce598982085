// The section of docs/data.md on the order of locks: that of the places where transactions wait, and of the capabilities of subjects.
import { readFileSync } from 'node:fs'
import { type CapabilityName, capabilities, lockPlaces } from '../../contract/capabilities.ts'
import { keysOf } from '../../contract/records.ts'

const PAGE = 'docs/data.md'
const [BEGIN, END] = ['<!-- derived: locks -->\n', '<!-- end -->']

interface CapableSubject {
  type: string
  can: readonly { name: CapabilityName }[]
}

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

function tables(subjects: readonly CapableSubject[]): string {
  const places = lockPlaces.map(({ what, tables }, at) => `| ${at + 1} | ${what} | ${code(tables)} |`)
  const rows = keysOf(capabilities).map((name) => {
    const { what, operations, tables } = capabilities[name]
    const able = subjects.filter(({ can }) => can.some((one) => one.name === name)).map(({ type }) => type)
    return `| \`${name}\` | ${what} | ${able.join(', ')} | ${code(operations)} | ${code(tables)} |`
  })
  return [
    ['| | locked | tables |', '| --- | --- | --- |', ...places].join('\n'),
    `What belongs to a thing is locked while its row is, so no two transactions wait there. It is locked in the order of what the subject \`can\`
([capabilities.ts](../src/contract/capabilities.ts)):`,
    ['| capability | what | subjects | operations | rows |', '| --- | --- | --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}

/** The page with its tables made again. */
export function dataPage(subjects: readonly CapableSubject[]): string {
  const [before = '', rest = ''] = readFileSync(PAGE, 'utf8').split(BEGIN)
  return `${before}${BEGIN}\n${tables(subjects)}\n\n${END}${rest.split(END)[1] ?? ''}`
}

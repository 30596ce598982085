// Writes what is derived: the documents in docs/, the types of the catalogue of messages, and the operations and types of the client
// library, and the tables of docs/data.md and docs/spec/formats.md: `npm run derive`. A test fails when they are out of date.
import { writeFileSync } from 'node:fs'
import { api } from '../../api.ts'
import { settingsPage } from '../../config/table.ts'
import { derivedMessages } from '../../language/derive.ts'
import { formatsPage } from '../../operator/archive/page.ts'
import { subjects } from '../../subjects.ts'
import { operationTableOf } from '../client-library/table.ts'
import { typesOf } from '../client-library/types.ts'
import { openApiOf } from '../openapi/openapi.ts'
import { DERIVED_ORIGIN } from '../openapi/served.ts'
import { dataPage } from '../reference/locks.ts'
import { referenceOf } from '../reference/markdown.ts'
import { statesPage } from '../reference/states.ts'

/** From here on a value has one line. */
const DEEPEST = 4

/** The document as the text of the file. */
const laidOut = (document: unknown): string => `${text(document, 0)}\n`

function text(value: unknown, depth: number): string {
  if (depth === DEEPEST || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const lines = entries.map(([name, inner]) => {
    const label = Array.isArray(value) ? '' : `${JSON.stringify(name)}:`
    return `${label}${text(inner, depth + 1)}`
  })
  return `${open}\n${lines.join(',\n')}\n${close}`
}

/** Every derived file, by its path from the root. */
export const derived: Readonly<Record<string, () => string>> = {
  'docs/openapi.json': () => laidOut(openApiOf(api, DERIVED_ORIGIN)),
  'docs/reference.md': () => referenceOf(api),
  'client/src/derived/operations.ts': () => operationTableOf(api),
  'client/src/derived/api.ts': () => typesOf(api),
  'docs/settings.md': settingsPage,
  'docs/states.md': statesPage,
  'docs/data.md': () => dataPage(subjects),
  'docs/spec/formats.md': formatsPage,
  ...derivedMessages(),
}

if (import.meta.main) {
  for (const [path, make] of Object.entries(derived)) writeFileSync(path, make())
}

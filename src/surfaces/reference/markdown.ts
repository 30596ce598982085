// The reference as one document: docs/reference.md.

import { schemaKinds, schemaPath } from '../../contract/files.ts'
import type { Contract } from '../../contract/operation.ts'
import { describePart, type Field, type OperationReference } from './describe.ts'

const OPENING = `# Reference

Made from the contracts by \`npm run derive\`; do not edit. Every path is below \`/api\`. The same, for machines, is at
\`/api/openapi.json\`, and on the site, with code for each operation, at \`/docs/reference\`. An input without a mark is required; \`?\`
marks what may be left out. JSON Schemas of the files that the library takes are at ${schemaKinds.map((kind) => `\`${schemaPath(kind)}\``).join(', ')}.
`

/** The whole API as Markdown: a section for each part, an entry for each operation. */
export function referenceOf(api: Record<string, Contract>): string {
  const contents = Object.keys(api).map((name) => `[${name}](#${name.toLowerCase()})`)
  const sections = Object.entries(api).map(([name, contract]) =>
    [`## ${name}`, ...describePart(name, contract).map(entry)].join('\n\n'),
  )
  return `${[OPENING.trimEnd(), contents.join(' · '), ...sections].join('\n\n')}\n`
}

const entry = (operation: OperationReference): string =>
  [
    `### ${operation.name}`,
    `\`${operation.method} ${operation.path}\``,
    [operation.summary, operation.description].filter(Boolean).join('. '),
    [
      `- who: ${operation.who}`,
      ...inputLines(operation.fields),
      ...(operation.budget ? [`- budget: ${operation.budget}`] : []),
      ...(operation.audit.length > 0 ? [`- audit log: ${operation.audit.join(', ')}`] : []),
      `- answers: ${operation.status} ${operation.answer}`,
      ...(operation.problems.length > 0 ? [`- can fail with: ${operation.problems.join(', ')}`] : []),
    ].join('\n'),
  ].join('\n\n')

const PLACES = { path: 'path', query: 'query', body: 'body', form: 'form', file: 'files' } as const

const inputLines = (fields: readonly Field[]): string[] =>
  Object.entries(PLACES).flatMap(([place, title]) => {
    const there = fields.filter((field) => field.place === place)
    return there.length > 0 ? [`- ${title}: ${there.map(fieldText).join(', ')}`] : []
  })

const fieldText = ({ name, isRequired, type }: Field) =>
  `\`${name}${isRequired ? '' : '?'}\` ${type.replaceAll('|', '\\|')}`

// Writes what is derived: the documents in docs/, the types of the catalogue of messages, and the operations and types of the client
// library: `npm run derive`. A test fails when they are out of date.
import { writeFileSync } from 'node:fs'
import { api } from '../api.ts'
import { settingsPage } from '../config/table.ts'
import { derivedMessages } from '../language/derive.ts'
import { operationTableOf } from './client-library/table.ts'
import { typesOf } from './client-library/types.ts'
import { laidOut } from './openapi/layout.ts'
import { openApiOf } from './openapi/openapi.ts'
import { DERIVED_ORIGIN } from './openapi/served.ts'
import { referenceOf } from './reference/markdown.ts'
import { statesPage } from './reference/states.ts'

/** Every derived file, by its path from the root. */
export const derived: Readonly<Record<string, () => string>> = {
  'docs/openapi.json': () => laidOut(openApiOf(api, DERIVED_ORIGIN)),
  'docs/reference.md': () => referenceOf(api),
  'client/src/derived/operations.ts': () => operationTableOf(api),
  'client/src/derived/api.ts': () => typesOf(api),
  'docs/settings.md': settingsPage,
  'docs/states.md': statesPage,
  ...derivedMessages(),
}

if (import.meta.main) {
  for (const [path, make] of Object.entries(derived)) writeFileSync(path, make())
}

// Lists as tables in OpenAPI: the parameter that asks for one, and what is answered then.
import { z } from 'zod'
import { withCommas } from '../../contract/explain.ts'
import { tableFormats } from '../http/table-format.ts'
import { MAX_ROWS } from '../http/tables.ts'
import { named } from './components.ts'
import { header } from './protocol-fields.ts'

const rows = withCommas(MAX_ROWS)

export const tableInput = {
  format: z
    .enum(tableFormats)
    .default('json')
    .meta({
      description: `csv or jsonl: the list from here on as a table, at most ${rows} entries; with a page or its size that page alone. \`Accept\` asks for the same`,
    }),
}

export const asTables = {
  'text/csv': { schema: { type: 'string' as const }, example: 'id,title\r\n' },
  'application/jsonl': { schema: { type: 'string' as const }, example: '{}\n' },
}

export const tableHeaders = {
  Link: named('RestOfTable', header('Of a table: where its rest is, as `next` (RFC 8288); missing at the end')),
}

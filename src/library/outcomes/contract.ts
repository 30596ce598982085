// Reports of whether a version worked, and what those who publish it read of them.
import { z } from 'zod'
import { Cursor, Day, Id, ItemName, line, NextCursor, text, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { browse, write } from '../items/area.ts'
import { pages } from '../items/finding-contract.ts'
import { errorClasses, orEmpty, VersionText } from '../items/item-contract.ts'

const Outcome = z.enum(['worked', 'failed']).meta({ example: 'worked' })
const ErrorClass = z.enum(errorClasses).meta({ example: 'timeout' })
const systems = ['linux', 'macos', 'windows', 'other'] as const
const processors = ['x64', 'arm64', 'other'] as const
const client = line(1, 40).meta({ example: 'guildhall' })

export const outcomes = {
  report: {
    summary: 'Report whether a version worked',
    synonyms: ['it works', 'does not work', 'install failed', 'run failed', 'outcome'],
    description:
      'After an install or a run, once a day and version; the last one counts. Who reports shows nowhere; only those who publish the item read `text`.',
    method: 'POST',
    kind: 'votes',
    path: '/library/outcomes',
    idempotent: true,
    tool: { name: 'report_outcome', outline: z.object({ replaced: z.boolean() }) },
    access: write,
    budget: 'votes',
    input: z.object({
      item: ItemName,
      version: VersionText,
      outcome: Outcome,
      error: orEmpty(ErrorClass),
      os: orEmpty(z.enum(systems)),
      arch: orEmpty(z.enum(processors)),
      client: orEmpty(client),
      client_version: orEmpty(client.meta({ example: '1.4.0' })),
      text: orEmpty(text(1, 500).meta({ example: 'The key is asked for twice' })),
    }),
    output: z.object({ item: Id, version: textLike('1.2.0'), day: Day, replaced: z.boolean() }),
    problems: ['not_found', 'forbidden'],
  },
  outcomeTexts: {
    summary: 'What reporters wrote of an item',
    description: 'For those who publish its versions: without who, the newest day first, the last 180 days.',
    method: 'GET',
    path: '/library/items/{id}/outcomes',
    access: { ...browse, credential: 'required' },
    input: z.object({ id: Id, cursor: Cursor, per_page: pages.per_page }),
    output: z.object({
      items: z.array(
        z.object({
          version: textLike('1.2.0'),
          day: Day,
          outcome: Outcome,
          error: ErrorClass.nullable(),
          os: textLike('linux').nullable(),
          arch: textLike('x64').nullable(),
          client: textLike('guildhall').nullable(),
          client_version: textLike('1.4.0').nullable(),
          text: textLike('The key is asked for twice'),
        }),
      ),
      nextCursor: NextCursor,
    }),
    problems: ['not_found', 'forbidden'],
  },
} satisfies Contract

// Records of an import, and all that one writes: for tests that it is the same to the byte however often it was interrupted.
import type { Db } from '../src/database/schema.ts'
import type { GivenRecord } from '../src/formats/imports/record.ts'

const at = (day: number) => `2024-03-${String(day).padStart(2, '0')}T10:00:00Z`

/** The first bugs show pictures of the export: 0.png, 1.png and so on. */
export const PICTURES = 30

/** So many bugs of ten people, with comments, votes and references to each other, in no order. */
export function manyRecords(count: number): GivenRecord[] {
  const people = Array.from(
    { length: 10 },
    (_, n): GivenRecord => ({ type: 'person', id: `p${n}`, username: `weaver${n % 3}` }),
  )
  const bugs = Array.from({ length: count }, (_, n): GivenRecord[] => [
    {
      type: 'comment',
      id: `c${n}`,
      thing: `b${n}`,
      author: `p${(n + 3) % 10}`,
      text: `As #${count - n} says`,
      createdAt: at(28),
    },
    {
      ...{ type: 'thing', id: `b${n}`, kind: 'bug', number: n + 1, author: `p${n % 10}`, title: `Bug ${n}` },
      ...{
        text: `Like #${((n * 7) % count) + 1} ${'x'.repeat((n % 4) * 400)} ${n < PICTURES ? `![](${n}.png)` : ''}`,
        labels: [`label ${n % 5}`],
        createdAt: at((n % 27) + 1),
      },
    },
    { type: 'vote', thing: `b${n}`, person: `p${(n + 1) % 10}`, value: 1 },
  ])
  return [...bugs.toReversed().flat(), ...people]
}

/** All that an import writes, but what names its run. */
export async function dumpOfImport(db: Db): Promise<string> {
  const tables = [
    'bug',
    'comment',
    'vote',
    'label',
    'bugLabel',
    'feedEntry',
    'imported',
    'importedPerson',
    'fullText',
    'threadState',
  ] as const
  const rows: string[] = []
  for (const table of tables) {
    const all = await db.selectFrom(table).selectAll().execute()
    rows.push(
      ...all.map(({ importId: _, ...row }: Record<string, unknown>) => `${table} ${JSON.stringify(row)}`).sort(),
    )
  }
  const pictures = await db.selectFrom('textImage').selectAll().where('gone', '=', 0).execute()
  rows.push(...pictures.map((row) => `textImage ${JSON.stringify(row)}`).sort())
  const people = await db.selectFrom('user').selectAll().where('email', 'like', '%.invalid').execute()
  return [...rows, ...people.map((row) => JSON.stringify(row)).sort()].join('\n')
}

// The bugs of a label in order, and the labels of bugs.
import { sql } from 'kysely'
import { selectIds } from '../../content/listing-queries.ts'
import { boundsOf, type Companion, isShown, shownBy } from '../../content/subject-queries.ts'
import { among } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import type { Label } from '../labels/contract.ts'

const labelsOn = prepared(
  (db, given: Bind<{ bugIds: string }>) =>
    db
      .selectFrom('bugLabel')
      .innerJoin('label', 'label.id', 'bugLabel.labelId')
      .select(['bugLabel.bugId', 'label.id', 'label.name', 'label.nameKey', 'label.color'])
      .where('bugLabel.bugId', 'in', among(db, given('bugIds'))),
  { cached: true },
)

/** Along the rows of a label, where nothing is searched for; a search looks among them. */
export const scanLabel: NonNullable<Companion['scan']> = (db, { labelId, ...filters }, { sort, ...page }) => {
  if (labelId === undefined) return undefined
  const { authorId, q, status, severity, people, agents } = filters
  const facts = { status, severity }
  if (q || people || agents) {
    const among = sql<string>`(select "bugId" from "bugLabel" where "labelId" = ${labelId})`
    return selectIds(
      db,
      {
        table: 'bug',
        ...boundsOf(['status', 'severity'], filters),
        where: shownBy('bug', filters),
        search: q ? { type: 'bug', q } : undefined,
        among,
        sort,
      },
      page,
    )
  }
  const rows =
    authorId === undefined
      ? { within: ['labelId', labelId] as const, having: facts }
      : { having: { labelId, authorId, ...facts } }
  return selectIds(db, { table: 'bugLabel', id: 'bugId', ...rows, where: isShown('bugLabel'), sort }, page)
}

/** The labels of the given bugs, each bug's by name; a bug without any is not in the map. */
export async function mapLabels(db: Db, bugIds: readonly string[]): Promise<Map<string, Label[]>> {
  if (bugIds.length === 0) return new Map()
  const { rows } = await labelsOn(db, { bugIds: JSON.stringify(bugIds) })
  const byName = rows.toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : 1))
  const byBug = Map.groupBy(byName, ({ bugId }) => bugId)
  const withoutKeys = (labels: typeof rows) => labels.map(({ id, name, color }) => ({ id, name, color }))
  return new Map([...byBug].map(([bugId, labels]): [string, Label[]] => [bugId, withoutKeys(labels)]))
}

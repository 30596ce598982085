// Putting labels on the things of a subject and taking them off, and lists of the things with a label. A row of a label repeats what lists
// are filtered and sorted by, so that one label's things are an index scan too.
import { decrement, increment } from '../../content/counters.ts'
import type { MovingLabels } from '../../content/merging/handlers.ts'
import { recordModeration } from '../../content/moderation.ts'
import { facetsOf } from '../../content/subject.ts'
import type { Companion, Store, StoredRow } from '../../content/subject-queries.ts'
import { groupsWith } from '../../content/via.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { recordOf } from '../../contract/records.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import type { Label } from './contract.ts'
import { type LabelledSubject, type LabelRows, labelRowsOf } from './labelling-queries.ts'
import { findLabelId, getLabel, listLabelIdsByName } from './queries.ts'

/** Labels with a number beside them: as many as a list shows. */
const MAX_COUNTED = 100

type Row = StoredRow<{ id: string; authorId: string; createdAt: string }>

/** The labels of a subject. A write that changes those of a thing has locked it. */
export interface Labelling extends MovingLabels<Row> {
  /** Everything that a change of a thing changes with its labels. */
  companion: Companion
  /** What readers see of the labels of things. */
  decorate(db: Db, things: readonly { id: string }[]): Promise<(thing: { id: string }) => { labels: Label[] }>
  /** False when the label is there already. */
  attach(db: Transaction, thing: Row, labelId: string): Promise<boolean>
  /** False when the label is not there. */
  detach(db: Transaction, thing: Row, labelId: string): Promise<boolean>
}

export function labellingOf(subject: LabelledSubject): Labelling {
  const rows = labelRowsOf(subject)
  const facetsIn = (thing: Row) => recordOf(facetsOf(subject), (name) => String(Reflect.get(thing, name)))
  const counted = (thing: Row, labelId: string) => ({
    kind: subject.type,
    groups: groupsWith(groupsOf([labelId], thing.authorId), thing),
    facets: Object.values(facetsIn(thing)),
  })
  return {
    companion: companionOf(rows),
    labelsOf: rows.listIds,
    async decorate(db, things) {
      const ids = things.map(({ id }) => id)
      const labels = await rows.map(db, ids)
      return ({ id }) => ({ labels: labels.get(id) ?? [] })
    },
    async attach(db, thing, labelId) {
      const { id, authorId, score, createdAt, hidden } = thing
      const copied = { authorId, ...facetsIn(thing), score, createdAt, hidden }
      const isAdded = await rows.insert(db, id, { labelId, ...copied })
      if (isAdded && hidden === 0) await increment(db, counted(thing, labelId))
      return isAdded
    },
    async detach(db, thing, labelId) {
      const isRemoved = await rows.delete(db, thing.id, labelId)
      if (isRemoved) await decrement(db, counted(thing, labelId))
      return isRemoved
    },
  }
}

const companionOf = ({ listIds, addScores, updateFacets, scan }: LabelRows): Companion => ({
  groupsOf: async (db, thing) => groupsOf(await listIds(db, thing.id), thing.authorId),
  addScores,
  updateFacets,
  // Nothing has the label that does not exist.
  resolve: async (db, { label, ...filters }) =>
    label === undefined ? filters : { ...filters, labelId: (await findLabelId(db, label)) ?? '' },
  groupOf,
  listedFilter: async (db) => ({ name: 'label', key: 'labelId', values: await listLabelIdsByName(db, MAX_COUNTED) }),
  scan,
})

interface Filters {
  labelId?: string | undefined
  authorId?: string | undefined
}

/** The group that a list by label, by author, by both or by neither is the whole of. */
function groupOf({ labelId, authorId }: Filters): string {
  if (labelId !== undefined) return authorId === undefined ? `label/${labelId}` : `label-by/${labelId}/${authorId}`
  return authorId === undefined ? 'all' : `by/${authorId}`
}

/** The groups that labels add. */
const groupsOf = (labelIds: readonly string[], authorId: string): string[] =>
  labelIds.flatMap((labelId) => [groupOf({ labelId }), groupOf({ labelId, authorId })])

interface LabelInput {
  id: string
  labelId: string
  reason: string | null
}

/** Handlers that put a label on a thing and take one off. */
export function labelHandlers<Thing extends { id: string; authorId: string; createdAt: string }, Parent extends string>(
  { type, lock, subject: { parent } }: Pick<Store<Thing, Parent>, 'type' | 'lock' | 'subject'>,
  { attach, detach }: Pick<Labelling, 'attach' | 'detach'>,
  audit: Readonly<Record<'label' | 'unlabel', AuditAction>>,
) {
  const changed = ({ id, labelId }: LabelInput) => ({ ...recordOf(parent ? [parent] : [], () => id), labelId })
  return {
    async attachLabel(context: Context<Caller>, given: LabelInput) {
      const { id, labelId, reason } = given
      await context.db.transaction().execute(async (transaction) => {
        const row = await lock(transaction, id)
        const detail = { label: (await getLabel(transaction, labelId)).name }
        if (!(await attach(transaction, row, labelId))) return
        await recordModeration(transaction, context, { action: audit.label, on: row, reason, detail })
      })
      return changed(given)
    },
    async detachLabel(context: Context<Caller>, given: LabelInput) {
      const { id, labelId, reason } = given
      await context.db.transaction().execute(async (transaction) => {
        const row = await lock(transaction, id)
        if (!(await detach(transaction, row, labelId))) {
          throw new Problem('not_found', `This label is not on this ${type}`)
        }
        const detail = { label: (await getLabel(transaction, labelId)).name }
        await recordModeration(transaction, context, { action: audit.unlabel, on: row, reason, detail })
      })
      return changed(given)
    },
  }
}

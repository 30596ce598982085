// Which labels the things of a subject have, and what follows from that: a row of a label repeats what lists are filtered and sorted by, so that
// one label's things are an index scan too. Who changes the labels of a thing has locked it.

import { Problem } from '../../contract/problem.ts'
import { recordOf } from '../../contract/records.ts'
import { valuesOf } from '../../contract/several.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { decrement, increment } from '../counter-queries.ts'
import type { Hideable } from '../rows/row-queries.ts'
import { facetsOf } from '../subject.ts'
import type { Counts } from '../things.ts'
import { groupsWith, type ViaColumn } from '../via.ts'
import { type Label, MAX_LABELS } from './contract.ts'
import { findLabelId, type LabelledSubject, type LabelRows, labelRowsOf, listLabelIdsByName } from './queries.ts'

/** Labels with a number beside them: as many as a list shows. */
const MAX_COUNTED = 100

type Row = { id: string; authorId: string; createdAt: string; touchedAt?: string | null } & Counts &
  Hideable &
  ViaColumn

/** The labels of a subject. */
export interface Labelling extends Pick<LabelRows, 'addScores' | 'updateFacets' | 'scan'> {
  labelsOf(db: Db, id: string): Promise<string[]>
  /** The groups of counters that a thing is in by its labels. */
  groupsOf(db: Transaction, thing: { id: string; authorId: string }): Promise<string[]>
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
  const { addScores, updateFacets, scan } = rows
  return {
    ...{ addScores, updateFacets, scan },
    labelsOf: rows.listIds,
    groupsOf: async (db, { id, authorId }) => groupsOf(await rows.listIds(db, id), authorId),
    async decorate(db, things) {
      const ids = things.map(({ id }) => id)
      const labels = await rows.map(db, ids)
      return ({ id }) => ({ labels: labels.get(id) ?? [] })
    },
    async attach(db, thing, labelId) {
      const { id, authorId, score, createdAt, hidden, touchedAt = null } = thing
      const copied = { authorId, ...facetsIn(thing), score, createdAt, hidden, touchedAt }
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

type Filters = Readonly<Record<string, string | undefined>>

/**
 * The filters of a list with the id of its label, which has a name or an id there, or of each of its labels. Nothing has the label that does
 * not exist; among several each must exist. A name may have a comma, so a text is first a label by itself.
 */
export async function resolveLabel(db: Db, { label, ...filters }: Filters): Promise<Filters> {
  if (label === undefined) return filters
  const one = await findLabelId(db, label)
  if (one !== undefined || !label.includes(',')) return { ...filters, labelId: one ?? '' }
  const names = new Set(valuesOf(label).map((name) => name.trim()))
  if (names.size > MAX_LABELS) throw new Problem('invalid_request', `label: at most ${MAX_LABELS} labels`)
  const ids = new Set<string>()
  for (const name of names) {
    const id = await findLabelId(db, name)
    if (id === undefined) throw new Problem('invalid_request', `label: there is no label ${name}`)
    ids.add(id)
  }
  const [first, ...others] = [...ids].toSorted()
  return others.length === 0 ? { ...filters, labelId: first } : { ...filters, labelIds: [first, ...others].join(',') }
}

/** The labels that are counted beside a list. */
export const listCountedLabels = (db: Db): Promise<string[]> => listLabelIdsByName(db, MAX_COUNTED)

/** The group that a list by label, by author, by both or by neither is the whole of. */
export function groupOf({ labelId, authorId }: Filters): string {
  if (labelId !== undefined) return authorId === undefined ? `label/${labelId}` : `label-by/${labelId}/${authorId}`
  return authorId === undefined ? 'all' : `by/${authorId}`
}

/** The groups that labels add. */
const groupsOf = (labelIds: readonly string[], authorId: string): string[] =>
  labelIds.flatMap((labelId) => [groupOf({ labelId }), groupOf({ labelId, authorId })])

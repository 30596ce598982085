// An issue and a bug that meet for the first time: state and labels are taken as they are, from everyone.
import { decide } from '../../content/edits/handlers.ts'
import type { Transaction } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { store } from '../bugs/feature.ts'
import { listLabelsNamed } from './queries.ts'
import { type Common, printOf, stateHere, statuses } from './rules.ts'
import type { Issue, Service } from './service.ts'

interface Meeting {
  there: Pick<Service, 'stateOf'>
  bugId: string
  issue: Issue
  /** Who is said to have given it its state. */
  by: string
  now: string
}

/** Gives a bug the state and the labels of its issue; gives what both have of them then. */
export async function takeAsIs(
  db: Transaction,
  { there, bugId, issue, by, now }: Meeting,
): Promise<Pick<Common, 'state' | 'labels'>> {
  const row = required(await store.findLockedAny(db, bugId))
  const { state } = issue
  const ours = there.stateOf(stateHere(row.status))
  const isOlder = row.updatedAt > row.createdAt && row.updatedAt > issue.updatedAt
  const isTaken = ours !== state && !isOlder
  const context = { caller: { id: by }, now }
  if (isTaken)
    await decide(store, { transaction: db, context, id: bugId, changes: { status: statuses[state] }, reason: null })
  const labels = await listLabelsNamed(db, [...new Set(issue.labels.map((name) => name.toLowerCase()))])
  const labelled = required(await store.findLockedAny(db, bugId))
  for (const { id } of labels) await required(store.labelling).attach(db, labelled, id)
  return {
    state: [printOf(isTaken ? state : ours), printOf(state)],
    labels: labels.map(({ nameKey }) => nameKey).toSorted(),
  }
}

// How a run is hidden: it leaves the runs of its org, and their count. The runs of a hidden org are hidden with it.
import type { HideableKind } from '../../../content/things.ts'
import type { Transaction } from '../../../database/schema.ts'
import { required } from '../../../runtime/untyped.ts'
import { addRuns, findUrl, store } from '../queries.ts'
import * as queries from './queries.ts'

/** The org first, as for every change of its runs. */
async function lockWithOrg(db: Transaction, id: string) {
  const run = await queries.findRun(db, id)
  const org = run && (await store.findLockedAny(db, run.orgId))
  return org && queries.lockRun(db, org.id, id)
}

export const runHiding: HideableKind = {
  type: 'run',
  async find(db, id) {
    const run = await queries.findRun(db, id)
    if (!run) return undefined
    const { authorId, createdAt, hidden, label, orgId } = run
    const files = await queries.listFileNames(db, id)
    const url = `${await findUrl(db, orgId)}#run-${id}`
    return { id, authorId, createdAt, hidden, title: label ?? 'Unlabeled run', text: files.join('\n'), url }
  },
  lock: lockWithOrg,
  listIdsOf: queries.listIdsOf,
  async setHidden(db, id, { hidden }) {
    const run = required(await lockWithOrg(db, id))
    await queries.updateHidden(db, id, hidden)
    if ((run.hidden === 0) !== (hidden === 0)) await addRuns(db, run.orgId, hidden === 0 ? 1 : -1)
  },
  async remove(db, id) {
    const run = required(await lockWithOrg(db, id))
    const keys = await queries.listFileKeys(db, id)
    await queries.deleteRun(db, run)
    return keys
  },
  async isPlaceSeen(db, id) {
    const run = await queries.findRun(db, id)
    return run !== undefined && (await store.findAny(db, run.orgId))?.hidden === 0
  },
}

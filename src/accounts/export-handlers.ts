// Handlers for exports: asked for right after a sign-in, by the owner or their agent; downloaded by the owner alone, from a session that has
// just used a credential.
import { Problem } from '../contract/problem.ts'
import { limit } from '../identity/guesses.ts'
import { limits } from '../identity/rules.ts'
import { lockHolder, requireFresh, requireRecent } from '../identity/sessions.ts'
import type { Caller, Context, Handlers } from '../request/handler.ts'
import { newId } from '../runtime/ids.ts'
import { contentDisposition } from '../storage/disposition.ts'
import type { dataExports } from './export-contract.ts'
import * as queries from './export-queries.ts'

const stateOf = ({ readyAt, failedAt }: queries.StoredExport) => (readyAt ? 'ready' : failedAt ? 'failed' : 'waiting')

const shown = (row: queries.StoredExport) => {
  const { id, requestedAt, expiresAt, files } = row
  const size = row.size === null ? null : Number(row.size)
  return { id, state: stateOf(row), url: '/settings/data', requestedAt, expiresAt, size, files } as const
}

const isOver = ({ expiresAt }: queries.StoredExport, now: string) => expiresAt !== null && expiresAt <= now

async function getExport({ db, caller, now }: Pick<Context<Caller>, 'db' | 'caller' | 'now'>, id: string) {
  const row = (await queries.listExports(db, caller.id)).find((one) => one.id === id)
  if (!row || isOver(row, now)) throw new Problem('not_found', 'No such export')
  return row
}

export const handlers: Handlers<typeof dataExports> = {
  async list({ db, caller, now }) {
    const rows = await queries.listExports(db, caller.id)
    return { items: rows.filter((row) => !isOver(row, now)).map(shown) }
  },

  get: async (context, { id }) => shown(await getExport(context, id)),

  async request(context) {
    const { db, caller, now } = context
    await requireFresh(context, db)
    return db.transaction().execute(async (transaction) => {
      await lockHolder(context, transaction)
      const rows = await queries.listExports(transaction, caller.id)
      if (rows.some((row) => stateOf(row) === 'waiting')) {
        throw new Problem('conflict', 'An export is being prepared; wait for its mail')
      }
      await limit({ ...context, db: transaction }, `export:${caller.id}`, limits.exportsByAccount)
      const times = { requestedAt: now, readyAt: null, failedAt: null, expiresAt: null, leasedUntil: '' }
      const row = { id: newId(), userId: caller.id, ...times, sha256: null, size: null, files: null, attempts: 0 }
      await queries.insertExport(transaction, row)
      return shown(row)
    })
  },

  async cancel(context, { id }) {
    const { db, caller } = context
    await db.transaction().execute(async (transaction) => {
      await lockHolder(context, transaction)
      const row = await getExport({ ...context, db: transaction }, id)
      const isGone = stateOf(row) === 'waiting' && (await queries.deleteWaiting(transaction, { id, userId: caller.id }))
      if (!isGone) throw new Problem('conflict', 'It is prepared already')
    })
    return { id }
  },

  async download(context, { id }) {
    const { db, blobs } = context
    await requireRecent(context, db)
    const row = await getExport(context, id)
    if (!row.sha256 || row.size === null) throw new Problem('not_found', 'No such export')
    const { sha256, requestedAt } = row
    return {
      contentType: 'application/zip',
      size: Number(row.size),
      tag: sha256,
      headers: {
        'Cache-Control': 'private, no-store',
        'Content-Disposition': contentDisposition('attachment', `guildhall-${requestedAt.slice(0, 10)}.zip`),
        'X-Content-Type-Options': 'nosniff',
      },
      source: {
        async open(range) {
          const stream = await blobs.artifacts.read(sha256, range)
          if (!stream) throw new Problem('not_found', 'No such export')
          return stream
        },
      },
    }
  },
}

// Handlers for exports: for their owner alone, from a session that has just used a credential.
import { Problem } from '../contract/problem.ts'
import { limit } from '../identity/guesses.ts'
import { limits } from '../identity/rules.ts'
import { lockCaller, requireRecent } from '../identity/sessions.ts'
import type { Handlers } from '../request/handler.ts'
import { newId } from '../runtime/ids.ts'
import { contentDisposition } from '../storage/disposition.ts'
import type { dataExports } from './export-contract.ts'
import * as queries from './export-queries.ts'

const stateOf = ({ readyAt, failedAt }: queries.StoredExport) => (readyAt ? 'ready' : failedAt ? 'failed' : 'waiting')

const shown = (row: queries.StoredExport) => {
  const { id, requestedAt, expiresAt, size, files } = row
  return { id, state: stateOf(row), requestedAt, expiresAt, size: size === null ? null : Number(size), files } as const
}

const isOver = ({ expiresAt }: queries.StoredExport, now: string) => expiresAt !== null && expiresAt <= now

export const handlers: Handlers<typeof dataExports> = {
  async list({ db, caller, now }) {
    const rows = await queries.listExports(db, caller.id)
    return { items: rows.filter((row) => !isOver(row, now)).map(shown) }
  },

  async request(context) {
    const { db, caller, now } = context
    await requireRecent(context, db)
    return db.transaction().execute(async (transaction) => {
      await lockCaller(context, transaction)
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

  async download(context, { id }) {
    const { db, caller, blobs, now } = context
    await requireRecent(context, db)
    const row = (await queries.listExports(db, caller.id)).find((one) => one.id === id)
    if (!row?.sha256 || row.size === null || isOver(row, now)) throw new Problem('not_found', 'No such export')
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

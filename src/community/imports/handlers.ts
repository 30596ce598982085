// Handlers of imports.
import { createReadStream } from 'node:fs'
import { Problem } from '../../contract/problem.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import type { imports } from './contract.ts'
import { readImport, shownImport, stepImport } from './imports.ts'
import { findImport, listImports } from './queries.ts'

/** That are listed. */
const MOST = 100

async function getImport({ db }: Pick<Context, 'db'>, id: string) {
  const row = await findImport(db, id)
  if (!row) throw new Problem('not_found', 'No such import')
  return shownImport(row)
}

const stepping =
  (step: 'start' | 'pause' | 'revert') =>
  async ({ db, caller, address, now }: Context<Caller>, { id }: { id: string }) =>
    shownImport(await stepImport(db, { id, step, actorId: caller.id, address, now }))

export const handlers: Handlers<typeof imports> = {
  list: async ({ db }) => ({ items: (await listImports(db, MOST)).map(shownImport) }),

  get: (context, { id }) => getImport(context, id),

  async read(context, _input, readForm) {
    const { fields, files } = await readForm()
    const { source, name, match, kind } = fields
    const columns = fields.columns === undefined ? undefined : columnsIn(fields.columns)
    const { id } = await readImport(context.db, {
      ...{ source, name, match: match === 'on', createdBy: context.caller.id, now: context.now },
      files: files.files.map(({ filename, path }) => ({ name: filename, read: () => createReadStream(path) })),
      options: { ...(kind && { kind }), ...(columns && { columns }) },
    })
    return shownImport(required(await findImport(context.db, id)))
  },

  start: stepping('start'),
  pause: stepping('pause'),
  revert: stepping('revert'),
}

/** @throws Problem */
export function columnsIn(text: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text)
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    if (entries.length > 0 && entries.every(([, column]) => typeof column === 'string'))
      return Object.fromEntries(entries)
  } catch {
    // Said below.
  }
  throw new Problem('invalid_request', 'columns: must be JSON, an object of texts')
}

// Handlers of imports.
import { scopeOf } from '../../content/imported/origins.ts'
import { listByNumber, listByUrl } from '../../content/imported/queries.ts'
import { findMerged } from '../../content/merged/queries.ts'
import { findSeenType } from '../../content/notifications/seen-types.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { required } from '../../runtime/untyped.ts'
import { columnsIn } from './columns.ts'
import type { imports } from './contract.ts'
import { readImport, shownImport, stepImport } from './imports.ts'
import { findImport, listImports } from './queries.ts'
import { stores } from './writing.ts'

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
    const { id } = await readImport(context, {
      ...{ source, name, match: match === 'on', createdBy: context.caller.id, now: context.now },
      files: files.files.map(({ filename, path }) => ({ name: filename, path })),
      options: { ...(kind && { kind }), ...(columns && { columns }) },
    })
    return shownImport(required(await findImport(context.db, id)))
  },

  async locate({ db, config }, { url, source, name, number }) {
    const byNumber = source !== undefined && name !== undefined && number !== undefined
    const found = byNumber
      ? await listByNumber(db, scopeOf({ source, name }), [number])
      : await listByUrl(db, [url ?? ''])
    const things = found.filter(({ type }) => type in stores && !partsOff(config).kinds.has(type))
    for (const { type, thingId: brought, ownNumber } of things) {
      // What was merged here is where it was merged into.
      const thingId = (await findMerged(db, brought))?.targetId ?? brought
      if ((await findSeenType(db, thingId)) === undefined || ownNumber === null) continue
      return {
        id: thingId,
        type: type as keyof typeof stores,
        number: ownNumber,
        url: await stores[type as keyof typeof stores].findUrl(db, thingId),
      }
    }
    throw new Problem('not_found', 'There is no such thing here')
  },

  start: stepping('start'),
  pause: stepping('pause'),
  revert: stepping('revert'),
}

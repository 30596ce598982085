// Handlers for settings that admins change while the server runs.
import { pageOfRows } from '../../database/cursor.ts'
import type { Transaction } from '../../database/schema.ts'
import { keepAdminsIn } from '../../identity/lockout.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { type Change, changeSettings, undoChange } from '../../settings/changing.ts'
import { findVersion, listChanges } from '../../settings/queries.ts'
import { listSettings, shownChange } from '../../settings/showing.ts'
import type { settings } from './contract.ts'

export const handlers: Handlers<typeof settings> = {
  async list({ db, settings: live }) {
    // The version first: what changes in between is newer than it, and a change that builds on it is refused.
    const version = await findVersion(db)
    return { version, items: await listSettings({ settings: live }, db) }
  },

  change(context, { changes, version }) {
    return changing(context, (db) => changeSettings(context, db, { ...byOf(context), changes, version }))
  },

  async listChanges({ db }, { page, per_page, cursor }) {
    const list = { list: ['settingChanges'], by: { number: 0 } }
    const { items, ...end } = await pageOfRows({ page, per_page, cursor }, list, ({ after, ...range }) =>
      listChanges(db, { ...range, before: after && Number(after[0]) }),
    )
    return { items: items.map(shownChange), ...end }
  },

  undoChange(context, { id }) {
    return changing(context, (db) => undoChange(context, db, { ...byOf(context), id }))
  },
}

const byOf = ({ caller, now, address }: Context<Caller>) => ({
  actorId: caller.id,
  now,
  address,
  guard: keepAdminsIn,
})

/** Once it is committed, the change holds in this process before it is answered. */
async function changing(context: Context<Caller>, work: (db: Transaction) => Promise<Change>): Promise<Change> {
  const change = await context.db.transaction().execute(work)
  await context.afterCommit(() => context.settings.reload())
  return change
}

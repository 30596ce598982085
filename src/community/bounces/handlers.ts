// Handlers for addresses to which notifications are not mailed.
import { record } from '../../audit/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import { deleteBounce, listStopped } from '../../mail/queries.ts'
import type { Handlers } from '../../request/handler.ts'
import { bounceActions, type bounces } from './contract.ts'

export const handlers: Handlers<typeof bounces> = {
  list: ({ db }, page) =>
    pageOfRows(page, { list: ['bounces'], by: { id: '' } }, ({ after, ...range }) =>
      listStopped(db, { ...range, after: after && String(after[0]) }),
    ),

  async clear({ db, caller, now, address }, { id }) {
    await db.transaction().execute(async (transaction) => {
      if (!(await deleteBounce(transaction, id))) throw new Problem('not_found', 'No such address')
      await record(transaction, now, { action: bounceActions.clear, actorId: caller.id, targetId: id, address })
    })
    return { id }
  },
}

// Voting on items and talking about them, for items that everybody sees and that are not the gallery's.
import { commentHandlers, voteHandler } from '../../content/subject-handlers.ts'
import { rowsOf } from '../../content/subject-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import type { StoredItem } from '../queries.ts'
import { isListed } from '../rules.ts'
import { item } from '../subject.ts'
import type { discussion } from './contract.ts'

const rows = rowsOf<StoredItem>(item, (row) => !isListed(row) || row.gallery === 1)

export const discussionHandlers: Handlers<typeof discussion> = {
  vote: voteHandler(rows),
  ...commentHandlers(rows, item),
}

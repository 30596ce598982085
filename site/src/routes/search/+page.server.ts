import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { boardsOf } from '#lib/server/boards.ts'
import { listQuery, oneOf } from '#lib/server/lists.ts'
import { boardIn } from '#lib/server/subjects.ts'
import { typesIn } from '#lib/ui/search-types.ts'
import { writers } from '../../../../src/contract/fields.ts'
import type { PageServerLoad } from './$types'

const HITS_A_PAGE = 20

export const load: PageServerLoad = async ({ locals, url }) => {
  const { page, q = '' } = listQuery(url)
  const types = typesIn(url.searchParams.get('type'))
  const by = oneOf(url.searchParams.get('by'), writers)
  const board = boardIn(url)
  const boards = await boardsOf(locals)
  const { items, total, ...answer } = await found(
    locals.api.search.find({
      q,
      page,
      per_page: HITS_A_PAGE,
      by,
      board,
      ...(types.length > 0 && { type: types.join() }),
    }),
  )
  return {
    q,
    types,
    by,
    board,
    boards,
    page,
    total,
    pages: Math.ceil(total / HITS_A_PAGE),
    ...answer,
    hits: rendered(items),
  }
}

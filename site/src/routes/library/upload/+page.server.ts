import { itemLists } from '#lib/features/library/item-lists.ts'
import { passOn } from '#lib/server/library.ts'
import { oneOf } from '#lib/server/lists.ts'
import { writing } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await writing(event)
  return {
    kind: oneOf(
      event.url.searchParams.get('kind'),
      Object.values(itemLists).map(({ kind }) => kind),
    ),
  }
}

export const actions: Actions = {
  publish: (event) => passOn(event, { path: '/api/library/items', method: 'POST', of: 'publish' }),
}

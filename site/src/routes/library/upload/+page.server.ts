import { itemLists } from '#lib/features/library/item-lists.ts'
import { found } from '#lib/server/answers.ts'
import { passOn } from '#lib/server/library.ts'
import { oneOf } from '#lib/server/lists.ts'
import { unlessOff } from '#lib/server/parts.ts'
import { writing } from '#lib/server/writing.ts'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async (event) => {
  await writing(event)
  // The session may have ended while the form was filled in; then the form comes back.
  const { api } = event.locals
  const mine =
    (await event.locals.user()) && (await unlessOff(event.locals, 'teams.mine', () => found(api.teams.mine())))
  const teams = mine?.items ?? []
  const asked = event.url.searchParams.get('team')
  return {
    teams: teams.map(({ slug, name }) => ({ slug, name })),
    team: teams.find(({ slug }) => slug === asked)?.slug ?? '',
    kind: oneOf(
      event.url.searchParams.get('kind'),
      Object.values(itemLists).map(({ kind }) => kind),
    ),
  }
}

export const actions: Actions = {
  publish: (event) => passOn(event, { name: 'library.publish', input: {}, of: 'publish' }),
}

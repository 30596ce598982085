// The queue of moderators: everything that waits for them, one case a thing, with its filters.
import { judging } from '#lib/server/administration.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse } from '#lib/server/lists.ts'
import { decisionsOf, manyCases } from '#lib/server/many-cases.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import { moderationRules, reportable } from '../../../../../src/contract/kinds.ts'
import type { Actions, PageServerLoad } from './$types'

/** Longer ids are of no client. */
const MAX_CLIENT_ID = 2_048
const SOURCES = ['members', 'automatic', 'appeal'] as const

export const load: PageServerLoad = async (event) => {
  await judging(event)
  const page = pageNumber(event.url)
  const { searchParams } = event.url
  const { api } = event.locals
  const oneOf = <Word extends string>(name: string, words: readonly Word[]) =>
    words.find((word) => word === searchParams.get(name))
  const boards = (await found(api.boards.list({}))).items.map(({ slug, name }) => ({ value: slug, label: name }))
  const state: 'open' | 'closed' = searchParams.get('state') === 'closed' ? 'closed' : 'open'
  const filters = {
    reason: oneOf('reason', moderationRules),
    type: oneOf('type', reportable),
    board: oneOf(
      'board',
      boards.map(({ value }) => value),
    ),
    from: oneOf('from', SOURCES),
    agent: searchParams.get('agent')?.slice(0, MAX_CLIENT_ID) || undefined,
  }
  const { items, ...cases } = await found(api.moderation.cases({ state, page, ...filters }))
  const shown = items.map((one) => ({ ...one, excerpt: glimpse(one.excerpt) }))
  const many = state === 'open' && items.length > 0 ? decisionsOf(event.locals) : []
  return { page, state, many, filters, boardChoices: boards, sources: SOURCES, ...cases, items: shown }
}

export const actions = { many: manyCases } satisfies Actions

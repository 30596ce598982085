import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { glimpse, listQuery, oneOf } from '#lib/server/lists.ts'
import { callsOf } from '#lib/server/subjects.ts'
import { filtersOf, subjectAt } from '#lib/subjects.ts'
import type { State } from '#lib/ui/states.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const subject = subjectAt(params.subject)
  const query = listQuery(url)
  const filters = filtersOf(subject).map((filter) => ({
    ...filter,
    value: oneOf(
      url.searchParams.get(filter.name),
      filter.options.map(({ value }) => value),
    ),
  }))
  const values = Object.fromEntries(filters.map(({ name, value }) => [name, value]))
  const { items, hasMore } = await found(callsOf(locals.api, subject).list({ ...query, ...values }))
  const entries = items.map((item) => ({
    ...item,
    preview: glimpse(subject.text(item).text),
    states: filters.map(({ name }) => Reflect.get(item, name) as State),
  }))
  return { query, filters, hasMore, entries: rendered(entries) }
}

import { rendered } from '#lib/rendered.ts'
import { glimpse } from '#lib/server/lists.ts'
import { labelsOf, readList } from '#lib/server/subjects.ts'
import { subjectAt } from '#lib/subjects.ts'
import type { State } from '#lib/ui/states.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { api }, params, url }) => {
  const subject = subjectAt(params.subject)
  const { query, states, label, reading } = readList(api, subject, url)
  const [{ items, hasMore }, labels] = await Promise.all([reading, labelsOf(api, subject)])
  const options = labels.map(({ id, name }) => ({ value: id, label: name }))
  const byLabel = { name: 'label', label: 'Label', value: label, options }
  const entries = items.map((item) => ({
    ...item,
    preview: glimpse(subject.text(item).text),
    states: states.map(({ name }) => Reflect.get(item, name) as State),
  }))
  return { query, filters: options.length > 0 ? [...states, byLabel] : states, hasMore, entries: rendered(entries) }
}

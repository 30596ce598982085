import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { boardsOfList } from '#lib/server/boards.ts'
import { glimpse } from '#lib/server/lists.ts'
import { savedIn, sharedIn } from '#lib/server/saved.ts'
import { callsOf, kindsWithLabel, labelsOf, readList } from '#lib/server/subjects.ts'
import { mayWrite, subjectAt } from '#lib/subjects.ts'
import type { State } from '#lib/ui/states.ts'
import type { PageServerLoad } from './$types'

/** As many as the API answers unless told. */
const ENTRIES_A_PAGE = 20
/** As many as can be pinned of a kind. */
const MAX_PINNED = 5

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const { api } = locals
  const subject = subjectAt(params.subject)
  const user = await locals.user()
  const seesDrafts = subject.pages.drafts && user && mayWrite(subject, user)
  const { query, states, label, board, about, written, reading, counting } = readList(locals, subject, url)
  const isWhole =
    query.sort === 'latest' && query.page === 0 && ![query.q, label, board, about.item, written.value].some(Boolean)
  const isUnfiltered = isWhole && states.every(({ value }) => value === undefined)
  const [{ items, hasMore, total }, labels, kinds, counted, saved, shared, pinned, boards] = await Promise.all([
    reading,
    labelsOf(api, subject),
    label ? kindsWithLabel(locals, label) : [],
    counting,
    savedIn({ locals, url }),
    sharedIn({ locals, url }, subject),
    isUnfiltered && subject.thread?.includes('pin')
      ? found(callsOf(api, subject).list({ pinned: 'true', per_page: MAX_PINNED }))
      : undefined,
    boardsOfList(locals, subject),
  ])
  const numbers = counted?.counts['label']
  const options = labels.map(({ id, name }) => ({
    value: id,
    label: numbers?.[id] === undefined ? name : `${name} (${locals.t.short(numbers[id])})`,
  }))
  const chosen = labels.find(({ id, name }) => id === label || name.toLowerCase() === label?.toLowerCase())
  const byLabel = { name: 'label', label: locals.t('kinds.filter.label'), value: chosen?.id ?? label, options }
  const entries = items.map((item) => ({
    ...item,
    preview: glimpse(subject.text(item).text),
    states: states.map(({ name }) => Reflect.get(item, name) as State),
  }))
  const drafts = seesDrafts ? (await found(api.changelog.drafts({}))).items : []
  return {
    drafts: drafts.map(({ id, title, url: at, version }) => ({ id, title, url: at, version })),
    pinned: (pinned?.items ?? []).map(({ id, title, url: at }) => ({ id, title, url: at })),
    query,
    facets: [...states, written].map((facet) => ({ ...facet, counts: counted?.counts[facet.name] })),
    filters: options.length > 0 ? [byLabel] : [],
    kinds,
    ...boards,
    board,
    about,
    total,
    saved,
    shared,
    pages: Math.ceil(total / ENTRIES_A_PAGE),
    hasMore,
    entries: rendered(entries),
  }
}

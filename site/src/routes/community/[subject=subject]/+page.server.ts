import { redirect } from '@sveltejs/kit'
import { withCommas } from '#lib/features/list-address.ts'
import { rendered } from '#lib/rendered.ts'
import { found } from '#lib/server/answers.ts'
import { boardsOfList } from '#lib/server/boards.ts'
import { glimpse, withTexts } from '#lib/server/lists.ts'
import { isForMany, manyOf, manyThings } from '#lib/server/many-things.ts'
import { savedIn, sharedIn } from '#lib/server/saved.ts'
import { callsOf, kindsWithLabel, labelsOf, readList } from '#lib/server/subjects.ts'
import { newSince } from '#lib/server/visits.ts'
import { mayWrite, subjectAt } from '#lib/subjects.ts'
import type { State } from '#lib/ui/states.ts'
import type { Actions, PageServerLoad } from './$types'

/** As many as the API answers unless told. */
const ENTRIES_A_PAGE = 20
/** As many as can be pinned of a kind. */
const MAX_PINNED = 5

export const load: PageServerLoad = async (event) => {
  const { locals, params, url } = event
  const { api } = locals
  const subject = subjectAt(params.subject)
  const tidy = withCommas(url, Object.keys(subject.filters))
  if (tidy !== undefined) redirect(307, tidy)
  const user = await locals.user()
  const seesDrafts = subject.pages.drafts && user && mayWrite(subject, user)
  const since = await newSince(event, subject)
  const { query, states, label, board, about, written, reading, counting } = readList(locals, subject, {
    url,
    since,
  })
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
  const first = pinned?.items ?? []
  const others = items.filter(({ id }) => first.every((one) => one.id !== id))
  const entries = [...first, ...others].map((item) => ({
    ...item,
    preview: withTexts(url) ? glimpse(subject.text(item).text) : undefined,
    states: states.map(({ name }) => Reflect.get(item, name) as State),
    forMany: isForMany(subject, item),
  }))
  const drafts = seesDrafts ? (await found(api.changelog.drafts({}))).items : []
  return {
    since,
    drafts: drafts.map(({ id, title, url: at, version }) => ({ id, title, url: at, version })),
    query,
    facets: facetsOf(locals, { states, written, labels, label, boards: boards.boards, board, counts: counted?.counts }),
    kinds,
    many: manyOf(locals, subject, { items: entries, labels }),
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

export const actions = { many: manyThings } satisfies Actions

interface Chosen extends Pick<ReturnType<typeof readList>, 'states' | 'written' | 'label' | 'board'> {
  labels: Awaited<ReturnType<typeof labelsOf>>
  boards: Awaited<ReturnType<typeof boardsOfList>>['boards']
  counts: Record<string, Record<string, number>> | undefined
}

/** The filters of the list, with how many each value leads to. */
function facetsOf({ t }: Pick<App.Locals, 't'>, { states, written, labels, label, boards, board, counts }: Chosen) {
  const options = labels.map(({ id, name }) => ({ value: id, label: name }))
  const byLabel = {
    ...{ name: 'label', label: t('kinds.filter.label'), options, several: true },
    value: label === undefined ? undefined : labelIdsOf(labels, label),
  }
  const places = boards.map(({ slug, name }) => ({ value: slug, label: name }))
  const byBoard = { name: 'board', label: t('community.board.word'), value: board, options: places }
  return [...states, byLabel, byBoard, written].map((facet) => ({ ...facet, counts: counts?.[facet.name] }))
}

/** What a list is filtered by as ids: a label by its id or its name, which may have a comma, or several. */
function labelIdsOf(labels: Chosen['labels'], asked: string): string {
  const idOf = (word: string) =>
    labels.find(({ id, name }) => id === word || name.toLowerCase() === word.toLowerCase())?.id
  return (
    idOf(asked) ??
    asked
      .split(',')
      .map((word) => idOf(word.trim()) ?? word.trim())
      .join(',')
  )
}

// Calls of the API for any listed subject.
import { filtersOf, folderOf, pagedSubjects } from '#lib/subjects.ts'
import { writtenFilter } from '#lib/ui/agents.ts'
import { hasActivity, type ListedSubject } from '../../../../src/content/subject.ts'
import { writers } from '../../../../src/contract/fields.ts'
import { found } from './answers.ts'
import { aboutOf } from './feedback.ts'
import { listQuery, oneOf, someOf } from './lists.ts'
import { countsByWriter, numberOf } from './written-counts.ts'

/** Of the address of a board. */
const MAX_SLUG = 60

/** The board that an address asks for. */
export const boardIn = (url: URL): string | undefined => url.searchParams.get('board')?.slice(0, MAX_SLUG) || undefined

/** Every listed subject has the operations of bugs that are made from declarations; fields differ. */
export const callsOf = (api: App.Locals['api'], subject: Pick<ListedSubject, 'path'>) =>
  api[folderOf(subject) as 'bugs']

/** The labels that the things of a subject can have; none where it has none. */
export const labelsOf = async (api: App.Locals['api'], { labels }: Pick<ListedSubject, 'labels'>) =>
  labels ? (await found(api.labels.list({ per_page: 100 }))).items : []

/** How many things of each kind have a label. */
export const kindsWithLabel = ({ api, server: { off } }: Pick<App.Locals, 'api' | 'server'>, label: string) =>
  Promise.all(
    pagedSubjects
      .filter(({ labels, path }) => labels && !off.hasPage(path))
      .map(async (subject) => {
        const { total } = await found(callsOf(api, subject).list({ label, per_page: 1 }))
        return { type: subject.type, href: `${subject.path}?${new URLSearchParams({ label })}`, total }
      }),
  )

interface AskedList {
  url: URL
  /** Only what is new since then; null where all of it is (visits.ts). */
  since?: string | null | undefined
}

/** Order, page and search words of a list; what is new comes in the order of what happened last. */
function queryOf(subject: ListedSubject, { url, since }: AskedList) {
  const query = listQuery(url)
  const isActive = since !== undefined || (hasActivity(subject) && url.searchParams.get('sort') === 'active')
  return { ...query, ...(isActive && { sort: 'active' as const }), ...(since && { activeSince: since }) }
}

/** The page of a list that a URL asks for, with the filters that were set. */
export function readList({ api, t }: Pick<App.Locals, 'api' | 't'>, subject: ListedSubject, asked: AskedList) {
  const { url } = asked
  const query = queryOf(subject, asked)
  const by = oneOf(url.searchParams.get('by'), writers)
  const states = filtersOf(t, subject).map((filter) => ({
    ...filter,
    several: true,
    value: someOf(
      url.searchParams.getAll(filter.name),
      filter.options.map(({ value }) => value),
    ),
  }))
  const values = Object.fromEntries(states.map(({ name, value }) => [name, value])) as { status?: 'open' }
  const label = (subject.labels && url.searchParams.getAll('label').join(',')) || undefined
  const board = subject.boards && boardIn(url)
  const about = aboutOf(subject.about ? url.searchParams : new URLSearchParams())
  const reading = found(callsOf(api, subject).list({ ...query, ...values, ...about, label, board, by }))
  // A search and what is new have no counts of their own, and those of the whole list would be wrong beside it.
  const counting =
    query.q || query.activeSince
      ? undefined
      : board !== undefined || about.item !== undefined
        ? undefined
        : Object.keys(subject.filters).length > 0
          ? found(callsOf(api, subject).counts({ ...values, label, by }))
          : countsInFeed(api, subject)
  return { query, states, label, board, about, written: { ...writtenFilter(t), value: by }, reading, counting }
}

/** The numbers of a subject without filters of its own, which are those of the feed. */
async function countsInFeed(api: App.Locals['api'], { type }: ListedSubject) {
  const { people, agents } = await countsByWriter(api)
  const by = { people: numberOf(people, type), agents: numberOf(agents, type) }
  return { counts: { by } as Record<string, Record<string, number>> }
}

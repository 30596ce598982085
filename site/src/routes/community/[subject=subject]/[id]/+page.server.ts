import { error, redirect } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { acts, declared } from '#lib/said.ts'
import { action, beside, field, reasonIn, stay } from '#lib/server/answers.ts'
import { assistantActions, mayAsk } from '#lib/server/assistant.ts'
import { boardOfThing, moveAction } from '#lib/server/boards.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { composeAction } from '#lib/server/composer.ts'
import { decidedOf, decidingActions } from '#lib/server/decided.ts'
import { followOf } from '#lib/server/follow.ts'
import { plainText } from '#lib/server/markdown.ts'
import { mergedInto, readThing } from '#lib/server/merging.ts'
import { leadToAddress } from '#lib/server/numbered.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import { renderLinkedText } from '#lib/server/rendering.ts'
import { callsOf, labelsOf } from '#lib/server/subjects.ts'
import { suggestionActions, suggestionsOf } from '#lib/server/suggestions.ts'
import { changesOf, newestShown, timelineOf } from '#lib/server/timeline.ts'
import { filtersOf, subjectAt, wholeText } from '#lib/subjects.ts'
import type { State } from '#lib/ui/states.ts'
import type { ClosingRule } from '../../../../../../src/contract/capabilities.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

type Event = Pick<RequestEvent, 'locals' | 'params'>

const parentOf = ({ locals, params: { id, subject } }: Event) => ({
  calls: callsOf(locals.api, subjectAt(subject)),
  key: { id },
  url: `${subjectAt(subject).path}/${id}`,
})

export const load: PageServerLoad = async (event) => {
  const subject = subjectAt(event.params.subject)
  const { calls } = parentOf(event)
  const page = pageNumber(event.url, 'changes')
  const { thing, follow, suggestions, changes, comments, decided, board, mayAskMachine, mine } = await readParts(
    event,
    subject,
    page,
  )
  const [{ title }, text] = [subject.text(thing), wholeText(subject, thing)]
  const { can, id, number, authorId, authorUsername, via, createdAt, score, myVote, commentCount, labels } = thing
  const words = board?.statusWords ?? {}
  const mayLabel = may(can, subject.labels?.permission)
  if (mine && comments) await see(event, mine, newestShown(comments, { createdAt, changes: changes?.items ?? [] }))
  return {
    thing: { id, number, authorId, authorUsername, via, createdAt, score, myVote, commentCount, labels, title },
    updatedAt: 'updatedAt' in thing ? thing.updatedAt : undefined,
    html: comments?.texts[0] ?? (await renderLinkedText(event.locals, text)),
    summary: plainText(text, 160),
    states: filtersOf(event.locals.t, subject).map((filter) => ({
      ...filter,
      value: Reflect.get(thing, filter.name) as State,
    })),
    about: thing.about,
    importedFrom: 'importedFrom' in thing ? thing.importedFrom : undefined,
    release: 'closed' in thing ? releaseOf(thing as never) : undefined,
    follow,
    suggestions,
    decided,
    board,
    mayAskMachine,
    state: thing.state,
    mayDelete: can.delete,
    mayEdit: can.edit,
    closing: can.close && subject.closing ? closingOf(subject.closing, thing.status) : undefined,
    editedAt: thing.editedAt,
    timeline:
      changes && comments ? await timelineOf(event, { calls, id, thread: comments, changes, page, words }) : undefined,
    mine: thing.state ? undefined : mine,
    mayDecide: may(can, subject.pages.decide),
    mayLabel,
    mayMerge: can.merge,
    merged:
      thing.mergedCount > 0
        ? await beside(Promise.resolve(thing), mergedInto(event, { calls, id, page: pageNumber(event.url, 'merged') }))
        : undefined,
    labels: mayLabel ? await labelsOf(event.locals.api, subject) : [],
    comments,
  }
}

/** The thing and what is beside it, all read at the same time. */
async function readParts(event: RequestEvent, subject: ReturnType<typeof subjectAt>, page: number) {
  const { id } = event.params
  const reading = readHere(event, subject)
  const [thing, follow, suggestions, changes, comments, decided, board, mayAskMachine, mine] = await Promise.all([
    reading,
    subject.follow && beside(reading, followOf(event, id)),
    subject.follow && beside(reading, suggestionsOf(event, id)),
    subject.thread ? beside(reading, changesOf(event.locals, id, page)) : undefined,
    subject.parent ? beside(reading, thread(event, parentOf(event), textsIn(reading, subject))) : undefined,
    subject.thread ? reading.then((one) => decidedOf(event, subject, one)) : undefined,
    reading.then((one) => boardOfThing(event.locals, subject, one)),
    reading.then((one) => mayAsk(event, one)),
    subject.thread ? mineOf(event) : undefined,
  ])
  return { thing, follow, suggestions, changes, comments, decided, board, mayAskMachine, mine }
}

/** The thing of the page, which is at its address. */
async function readHere(event: RequestEvent, subject: ReturnType<typeof subjectAt>) {
  const thing = await readThing(event, subject)
  leadToAddress(event, { ...thing, title: subject.text(thing).title })
  return thing
}

const textsIn = async (reading: ReturnType<typeof readThing>, subject: ReturnType<typeof subjectAt>) => [
  wholeText(subject, await reading),
]

/** What the reader saw of the thing before, and whether it is bookmarked; undefined for anonymous users and what is hidden. */
const mineOf = async ({ locals, params: { id } }: RequestEvent) =>
  (await locals.user()) ? locals.api.threads.mine({ id }).catch(() => undefined) : undefined

/** Remembers what the reader sees now: nothing is written where that is no more than before, and the page is there without it. */
async function see({ locals, request }: RequestEvent, { id, seenAt }: Answer<'threads.mine'>, newest: string) {
  if (request.method !== 'GET' || (seenAt !== null && newest <= seenAt)) return
  await locals.api.threads.visit({ id, seenAt: newest }).catch(() => undefined)
}

/** Whether the reader may do what only some subjects have. */
const may = (can: object, action = '') => Reflect.get(can, action) === true

/** What only a release has. */
const releaseOf = ({ version, date, closed }: Answer<'changelog.get'>) => ({ version, date, closed })

/** What the reader may make of a status: close it, open it again, or nothing where a moderator decided otherwise. */
const closingOf = ({ closed, from }: ClosingRule, status: string): 'close' | 'reopen' | undefined =>
  status === closed ? 'reopen' : from.includes(status) ? 'close' : undefined

/** Publishes a draft, where a subject has drafts. */
function publishing({ locals, params: { id, subject } }: Event) {
  if (!subjectAt(subject).pages.drafts) error(404, locals.t('errors.page.404'))
  return locals.api.changelog.publish({ id })
}

/** The same page again, with the form of what is decided open. */
const stayDeciding = () => ({ done: 'decide' })

const changeLabel = (change: 'attachLabel' | 'detachLabel', options?: { of: (form: FormData) => string }) =>
  action(
    async (form, event: RequestEvent) => {
      if (!subjectAt(event.params.subject).labels) error(404, event.locals.t('errors.page.404'))
      const { calls, key } = parentOf(event)
      return calls[change]({ ...key, labelId: field(form, 'labelId') })
    },
    stayDeciding,
    options,
  )

export const actions = declared(acts['/community/[subject=subject]/[id]'], {
  ...commentActions(parentOf),
  ...suggestionActions,
  ...decidingActions,
  comment: composeAction(parentOf),
  bookmark: action(
    (form, { locals, params: { id } }: RequestEvent) =>
      locals.api.threads.bookmark({ id, bookmarked: field(form, 'bookmarked') === 'true' }),
    stay,
  ),
  ...assistantActions,
  move: moveAction(({ params }) => subjectAt(params['subject']).type as 'bug'),
  decide: action(async (form, event: RequestEvent) => {
    const subject = subjectAt(event.params.subject)
    const { calls, key } = parentOf(event)
    const values = filtersOf(event.locals.t, subject).map(({ name }) => [name, field(form, name)])
    const input = { ...Object.fromEntries(values), ...key, reason: reasonIn(form) }
    return calls[subject.pages.decide as 'triage'](input)
  }, stayDeciding),
  close: action((form, event: RequestEvent) => {
    const { calls, key } = parentOf(event)
    return calls.close({ ...key, closed: field(form, 'closed') === 'true' })
  }, stay),
  merge: action(
    async (form, event: RequestEvent) => {
      const { calls, key } = parentOf(event)
      const number = Number(field(form, 'number').replace(/^\s*#/, ''))
      return calls.merge({
        ...key,
        into: (await event.locals.api.references.get({ number })).id,
        confirm: form.has('confirm'),
        reason: reasonIn(form),
      })
    },
    ({ mergedInto }) => redirect(303, mergedInto.url),
  ),
  publish: action(
    (_, event: RequestEvent) => publishing(event),
    (_, __, { url }) => redirect(303, url.pathname),
  ),
  undoMerge: action(
    (form, event: RequestEvent) =>
      parentOf(event).calls.undoMerge({ id: field(form, 'merged'), reason: reasonIn(form) }),
    ({ url }) => redirect(303, url),
    { of: (form) => `undoMerge ${field(form, 'merged')}` },
  ),
  attachLabel: changeLabel('attachLabel'),
  detachLabel: changeLabel('detachLabel', { of: (form) => `detachLabel ${field(form, 'labelId')}` }),
  delete: action(
    (form, event: RequestEvent) => parentOf(event).calls.delete({ id: event.params.id, reason: reasonIn(form) }),
    (_, __, { params }) => redirect(303, subjectAt(params.subject).path),
  ),
}) satisfies Actions

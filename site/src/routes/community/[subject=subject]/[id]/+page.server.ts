import { error, redirect } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { action, beside, field, found, reasonIn, stay } from '#lib/server/answers.ts'
import { assistantActions, mayAsk } from '#lib/server/assistant.ts'
import { boardOfThing, moveAction } from '#lib/server/boards.ts'
import { commentActions, thread } from '#lib/server/comments.ts'
import { decidedOf, decidingActions } from '#lib/server/decided.ts'
import { followOf } from '#lib/server/follow.ts'
import { plainText } from '#lib/server/markdown.ts'
import { mergedInto, readThing } from '#lib/server/merging.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import { renderLinkedText } from '#lib/server/rendering.ts'
import { callsOf, labelsOf } from '#lib/server/subjects.ts'
import { suggestionActions, suggestionsOf } from '#lib/server/suggestions.ts'
import { filtersOf, subjectAt, wholeText } from '#lib/subjects.ts'
import type { State } from '#lib/ui/states.ts'
import type { ClosingRule } from '../../../../../../src/contract/capabilities.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

type Event = Pick<RequestEvent, 'locals' | 'params'>

const parentOf = ({ locals, params: { id, subject } }: Event) => ({
  calls: callsOf(locals.api, subjectAt(subject)),
  key: { id },
})

export const load: PageServerLoad = async (event) => {
  const subject = subjectAt(event.params.subject)
  const parent = parentOf(event)
  const reading = readThing(event, subject)
  const changesPage = pageNumber(event.url, 'changes')
  const [thing, follow, suggestions, changes, comments, decided, board, mayAskMachine] = await Promise.all([
    reading,
    subject.follow && beside(reading, followOf(event, event.params.id)),
    subject.follow && beside(reading, suggestionsOf(event, event.params.id)),
    subject.closing
      ? beside(reading, found(parent.calls.statusChanges({ ...parent.key, page: changesPage })))
      : undefined,
    subject.parent ? beside(reading, thread(event, parent, textsIn(reading, subject))) : undefined,
    subject.thread ? reading.then((one) => decidedOf(event, subject, one)) : undefined,
    reading.then((one) => boardOfThing(event.locals, subject, one)),
    reading.then((one) => mayAsk(event, one)),
  ])
  const [{ title }, text] = [subject.text(thing), wholeText(subject, thing)]
  const { can, id, number, authorId, authorUsername, via, createdAt, score, myVote, commentCount, labels } = thing
  const mayLabel = may(can, subject.labels?.permission)
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
    changes: changes && { ...changes, page: changesPage },
    mayDecide: may(can, subject.pages.decide),
    mayLabel,
    mayMerge: can.merge,
    merged:
      thing.mergedCount > 0
        ? await beside(reading, mergedInto(event, { calls: parent.calls, id, page: pageNumber(event.url, 'merged') }))
        : undefined,
    labels: mayLabel ? await labelsOf(event.locals.api, subject) : [],
    comments,
  }
}

const textsIn = async (reading: ReturnType<typeof readThing>, subject: ReturnType<typeof subjectAt>) => [
  wholeText(subject, await reading),
]

/** Whether the reader may do what only some subjects have. */
const may = (can: object, action = '') => Reflect.get(can, action) === true

/** What only a release has. */
const releaseOf = ({ version, date, closed }: Answer<'changelog.get'>) => ({ version, date, closed })

/** What the reader may make of a status: close it, open it again, or nothing where a moderator decided otherwise. */
const closingOf = ({ closed, from }: ClosingRule, status: string) =>
  status === closed ? 'reopen' : from.includes(status) ? 'close' : undefined

/** Publishes a draft, where a subject has drafts. */
function publishing({ locals, params: { id, subject } }: Event) {
  if (!subjectAt(subject).pages.drafts) error(404, locals.t('errors.page.404'))
  return locals.api.changelog.publish({ id })
}

const changeLabel = (change: 'attachLabel' | 'detachLabel', options?: { of: (form: FormData) => string }) =>
  action(
    async (form, event: RequestEvent) => {
      if (!subjectAt(event.params.subject).labels) error(404, event.locals.t('errors.page.404'))
      const { calls, key } = parentOf(event)
      return calls[change]({ ...key, labelId: field(form, 'labelId') })
    },
    stay,
    options,
  )

export const actions = {
  ...commentActions(parentOf),
  ...suggestionActions,
  ...decidingActions,
  ...assistantActions,
  move: moveAction(({ params }) => subjectAt(params['subject']).type as 'bug'),
  decide: action(async (form, event: RequestEvent) => {
    const subject = subjectAt(event.params.subject)
    const { calls, key } = parentOf(event)
    const values = filtersOf(event.locals.t, subject).map(({ name }) => [name, field(form, name)])
    const input = { ...Object.fromEntries(values), ...key, reason: reasonIn(form) }
    return calls[subject.pages.decide as 'triage'](input)
  }, stay),
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
} satisfies Actions

// What is decided about a thing beside its record: its pin, the lock of its comments, its solution, assignees and due day; read for the page of
// the thing, and changed by its forms.
import type { RequestEvent } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { moderates } from '#lib/roles.ts'
import type { ListedSubject } from '../../../../src/content/subject.ts'
import { action, field, reasonIn, stay } from './answers.ts'
import { glimpse } from './lists.ts'

type Thing = Pick<Answer<'bugs.get'>, 'id' | 'pinned' | 'locked' | 'solution' | 'assignees' | 'dueOn' | 'state' | 'can'>

/** What is decided about a thing, and what the reader may decide. */
export async function decidedOf(event: Pick<RequestEvent, 'locals'>, subject: ListedSubject, thing: Thing) {
  const { locals } = event
  const { pinned = false, locked = false, solution, assignees = [], dueOn, state, can } = thing
  const capabilities = state ? [] : (subject.thread ?? [])
  const [user, solved] = await Promise.all([locals.user(), solution ? solutionOf(locals.api, solution) : undefined])
  // Where moderators of its board are meant too, what may be merged says so.
  const isModerator = moderates(user) || ('merge' in can && can.merge)
  const may = (name: (typeof capabilities)[number]) => isModerator && capabilities.includes(name)
  return {
    ...{ pinned, locked, assignees, dueOn, solution: solved },
    /** Whether the reader can neither comment nor edit comments. */
    isClosed: locked && !isModerator,
    may: {
      ...{ pin: may('pin'), lock: may('lock'), assign: may('assign') },
      solve: capabilities.includes('solve') && can.edit,
    },
  }
}

export type Decided = Awaited<ReturnType<typeof decidedOf>>

/** The comment that is the answer; undefined where it has gone since the thing was read. */
const solutionOf = (api: App.Locals['api'], id: string) =>
  api.comments.get({ id }).then(
    ({ authorId, authorUsername, via, createdAt, body }) => ({
      ...{ id, authorId, authorUsername, via, createdAt, preview: glimpse(body) },
    }),
    () => undefined,
  )

type Event = RequestEvent<{ id: string }>

const change = <Value>(
  send: (
    threads: App.Locals['api']['threads'],
    given: { form: FormData; id: string; reason: string | undefined },
  ) => Promise<Value>,
  {
    of,
    also,
  }: {
    of?: (form: FormData) => string
    also?: (value: Value, form: FormData) => Readonly<Record<string, string>>
  } = {},
) =>
  action(
    (form, { locals, params: { id } }: Event) => send(locals.api.threads, { form, id, reason: reasonIn(form) }),
    stay,
    { of, also },
  )

const accountIn = (form: FormData) => field(form, 'account').trim().replace(/^@/, '')

/** The actions of the forms, each on the thing of the page. */
export const decidingActions = {
  pin: change((threads, { form, id, reason }) => threads.pin({ id, pinned: field(form, 'pinned') === 'true', reason })),
  lock: change((threads, { form, id, reason }) =>
    threads.lock({ id, locked: field(form, 'locked') === 'true', reason }),
  ),
  solve: change(
    (threads, { form, id }) =>
      threads.solve({ id, commentId: field(form, 'solves') === 'true' ? field(form, 'comment') : null }),
    { of: (form) => `solve ${field(form, 'comment')}` },
  ),
  assign: change((threads, { form, id, reason }) => threads.assign({ id, account: accountIn(form), reason }), {
    also: ({ assignees }, form) => ({
      accountId: assignees.find(({ id, username }) => [id, username].includes(accountIn(form)))?.id ?? '',
    }),
  }),
  unassign: change((threads, { form, id }) => threads.unassign({ id, accountId: field(form, 'accountId') }), {
    of: (form) => `unassign ${field(form, 'accountId')}`,
  }),
  setDue: change((threads, { form, id, reason }) =>
    threads.setDue({ id, dueOn: field(form, 'dueOn') || null, reason }),
  ),
}

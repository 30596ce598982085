// What moderators do with several things of a list at once: their status, their labels, and merges.
import type { RequestEvent } from '@sveltejs/kit'
import type { ManyGroup } from '#lib/features/many/many.ts'
import { filtersOf, subjectAt } from '#lib/subjects.ts'
import { addressOf } from '#lib/thing-address.ts'
import type { ListedSubject } from '../../../../src/content/subject.ts'
import { field, reasonIn } from './answers.ts'
import { manyAction } from './many.ts'
import { callsOf } from './subjects.ts'

type Subject = ReturnType<typeof subjectAt>
type May = Readonly<Record<string, boolean>>
type Event = RequestEvent & { params: { subject: string } }

/** The permissions that it takes, by what is done. */
const permissionsOf = ({ pages, labels, permissions }: Subject) => ({
  decide: pages.decide,
  label: labels?.permission,
  merge: 'merge' in permissions ? 'merge' : undefined,
})

const mayOne = (can: May, permission: string | undefined) => permission !== undefined && can[permission] === true

/** Whether the reader may do any of it with a thing as its moderator: an author may do none. */
export const isForMany = (subject: Subject, { can }: { can: object }): boolean =>
  Object.values(permissionsOf(subject)).some((permission) => mayOne(can as May, permission))

interface Listed {
  items: readonly { can: object }[]
  labels: readonly { id: string; name: string }[]
}

/** What the reader may do with some of the things of a list. */
export function manyOf({ t }: Pick<App.Locals, 't'>, subject: Subject, { items, labels }: Listed): ManyGroup[] {
  const { decide, label, merge } = permissionsOf(subject)
  const may = (permission: string | undefined) => items.some(({ can }) => mayOne(can as May, permission))
  const named = (what: string) => labels.map(({ id, name }) => ({ value: `${what}:${id}`, label: name }))
  const sets = filtersOf(t, subject).map(({ name, label: word, options }) => ({
    label: word,
    choices: options.map((option) => ({ value: `set:${name}:${option.value}`, label: option.label })),
  }))
  const groups = [
    ...(may(decide) ? sets : []),
    ...(may(label)
      ? [
          { label: t('community.many.addLabel'), choices: named('attachLabel') },
          { label: t('community.many.removeLabel'), choices: named('detachLabel') },
        ]
      : []),
    ...(may(merge) ? [{ choices: [{ value: 'merge', label: t('community.many.merge') }] }] : []),
  ]
  return groups.filter(({ choices }) => choices.length > 0)
}

async function doOne(form: FormData, { locals: { api }, params }: Event) {
  const subject = subjectAt(params.subject)
  const calls = callsOf(api, subject)
  const reason = reasonIn(form)
  const [what, name = '', value = ''] = field(form, 'what').split(':')
  if (what === 'merge' && permissionsOf(subject).merge) {
    const into = await api.references.get({ number: Number(field(form, 'number').replace(/^\s*#/, '')) })
    return (id: string) => calls.merge({ id, into: into.id, reason })
  }
  if ((what === 'attachLabel' || what === 'detachLabel') && subject.labels) {
    return (id: string) => calls[what]({ id, labelId: name, reason })
  }
  if (what === 'set' && subject.pages.decide && Object.hasOwn(subject.filters, name)) {
    return (id: string) => calls[subject.pages.decide as 'triage']({ id, [name]: value, reason })
  }
  return undefined
}

async function nameOf(id: string, { locals: { api }, params }: Event) {
  const subject: ListedSubject = subjectAt(params.subject)
  const thing = await callsOf(api, subject).get({ id })
  const { title } = subject.text(thing)
  return { title, url: addressOf({ ...thing, title }) }
}

export const manyThings = manyAction<Event>(doOne, nameOf)

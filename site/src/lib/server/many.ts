// What moderators do with several rows of a list at once: a call of the single operation for each, with its rights, its entry in the audit log and
// its reason.
import { fail, type RequestEvent, redirect } from '@sveltejs/kit'
import { MAX_MANY, type ManyResult } from '#lib/features/many/many.ts'
import { refusalIn } from '#lib/language/refusals.ts'
import { field, orRefusal, type Refusal, signInPath } from './answers.ts'

/** What is done with one row; undefined for a choice that there is not. */
export type DoOne<Event> = (form: FormData, event: Event) => Promise<((id: string) => Promise<unknown>) | undefined>
/** What a row is called, for one that was refused. */
export type NameOf<Event> = (id: string, event: Event) => Promise<{ title: string; url: string }>

/** The action of the form (features/many/Many.svelte). One after the other: what one does may decide about the next. */
export const manyAction =
  <Event extends RequestEvent>(doOne: DoOne<Event>, nameOf: NameOf<Event>) =>
  async (event: Event) => {
    const { t } = event.locals
    const form = await event.request.formData()
    const ids = [...new Set(form.getAll('id').filter((id) => typeof id === 'string'))]
    const refused = (words: string, status = 400) => fail(status, { many: { refused: words } satisfies ManyResult })
    if (ids.length === 0) return refused(t('community.many.none'))
    if (ids.length > MAX_MANY) return refused(t('community.many.most', { most: t.number(MAX_MANY) }))
    const whyOf = ({ message, status }: Refusal) => refusalIn(t, message.replace(/^\w+: /, ''), status)
    const making = await orRefusal(doOne(form, event))
    if (making.refusal) return refused(whyOf(making.refusal), making.refusal.status)
    const act = making.value
    if (!act || field(form, 'what') === '') return refused(t('community.many.what'))
    const failed = []
    for (const id of ids) {
      const { refusal } = await orRefusal(act(id))
      if (refusal?.status === 401 && !refusal.code) redirect(303, signInPath(event.url))
      if (!refusal) continue
      const named = await orRefusal(nameOf(id, event))
      const { title, url } = named.refusal ? { title: id, url: undefined } : named.value
      failed.push({ id, title, url, why: whyOf(refusal) })
    }
    return { many: { done: ids.length - failed.length, all: ids.length, failed } satisfies ManyResult }
  }

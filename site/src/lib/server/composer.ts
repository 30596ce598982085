// The form at the end of a thread: it comments, closes the thing or opens it again, and sets its labels, in one step. The comment comes first; what
// is refused after it says so, and the form keeps all but the comment that is there.
import { type RequestEvent, redirect } from '@sveltejs/kit'
import { subjectAt } from '#lib/subjects.ts'
import { attempt, field, found } from './answers.ts'
import { pathTo } from './comments.ts'
import { say } from './saying.ts'
import { forgetDraft } from './sent-draft.ts'
import type { callsOf } from './subjects.ts'

interface Composed {
  calls: ReturnType<typeof callsOf>
  id: string
}

type Event = RequestEvent<{ subject: string; id: string }>

/** The labels that the form changes: it says which there were when it came. */
function labelSteps(form: FormData, { calls, id }: Composed) {
  if (!form.has('had')) return []
  const had = field(form, 'had').split(',').filter(Boolean)
  const wanted = form.getAll('label').map(String)
  return [
    ...wanted.filter((one) => !had.includes(one)).map((labelId) => () => calls.attachLabel({ id, labelId })),
    ...had.filter((one) => !wanted.includes(one)).map((labelId) => () => calls.detachLabel({ id, labelId })),
  ]
}

export const composeAction = (of: (event: Event) => { calls: ReturnType<typeof callsOf>; key: { id: string } }) =>
  async function compose(event: Event) {
    const form = await event.request.formData()
    const { url, locals, params } = event
    const subject = subjectAt(params.subject)
    const { calls, key } = of(event)
    const closed = field(form, 'closed')
    const steps: (() => Promise<unknown>)[] = [
      ...(subject.labels ? labelSteps(form, { calls, id: key.id }) : []),
      ...(closed === '' || !subject.closing ? [] : [() => calls.close({ ...key, closed: closed === 'true' })]),
    ]
    // A refused form is shown with the labels that were chosen.
    form.set('chosen', form.getAll('label').join())
    const asked = { form, url, of: 'comment', written: true }
    let to = `${url.pathname}#reply`
    if (field(form, 'body').trim() !== '' || steps.length === 0) {
      const parentId = field(form, 'parentId') || undefined
      const said = await attempt(calls.comment({ ...key, body: field(form, 'body'), parentId }), asked)
      if (said.failure) return said.failure
      await forgetDraft(form, event)
      for (const name of ['body', 'parentId']) form.set(name, '')
      to = pathTo(await found(locals.api.comments.get({ id: said.value.id })), url.pathname)
    }
    for (const step of steps) {
      const done = await attempt(step(), asked)
      if (done.failure) return done.failure
    }
    say({ form, name: 'comment' })
    return redirect(303, to)
  }

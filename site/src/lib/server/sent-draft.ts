// The draft of a form that is sent.
import { draftPath } from '#lib/draft-path.ts'

interface SubmittedForm {
  locals: Pick<App.Locals, 'api'>
  url: URL
}

/** Forgets the draft of a form that was sent. What was sent is sent, also where this fails: the draft then ends by itself. */
export async function forgetDraft(form: FormData, { locals, url }: SubmittedForm): Promise<void> {
  const name = form.get('kept-draft')
  if (typeof name === 'string' && name !== '')
    await locals.api.drafts.delete({ path: draftPath(url.pathname), form: name }).catch(() => undefined)
}

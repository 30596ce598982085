// Drafts of the forms of a page: read with it, and forgotten when a form is sent (enhance/drafts.ts keeps them).
import { rendered } from '#lib/rendered.ts'
import { PAGE } from '../../../../src/content/drafts/rules.ts'
import { field, found } from './answers.ts'

const LONGEST = 300

/** The drafts of a page; none for an address that no draft can have. */
export async function draftsAt({ api }: Pick<App.Locals, 'api'>, path: string) {
  if (path.length > LONGEST || !PAGE.test(path)) return []
  return rendered((await found(api.drafts.list({ path }))).items)
}

interface Sent {
  locals: Pick<App.Locals, 'api'>
  url: URL
}

/** Forgets the draft of a form that was sent. What was sent is sent, also where this fails: the draft then ends by itself. */
export async function forgetDraft(form: FormData, { locals, url }: Sent): Promise<void> {
  const name = field(form, 'kept-draft')
  if (name !== '') await locals.api.drafts.delete({ path: url.pathname, form: name }).catch(() => undefined)
}

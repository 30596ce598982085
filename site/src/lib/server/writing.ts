// Shared by the pages with a form for new content.
import { type RequestEvent, redirect } from '@sveltejs/kit'
import { field, readerWords, refuse, signInPath, typed } from './answers.ts'
import { renderLinkedText } from './rendering.ts'

/** For members' pages: anonymous users sign in first, then come back. */
export async function signedIn({ locals, url }: Pick<RequestEvent, 'locals' | 'url'>) {
  return (await locals.user()) ?? redirect(303, signInPath(url))
}

/** For pages with a form: a member whose session has ended still gets the sent form back. */
export async function writing(event: Pick<RequestEvent, 'locals' | 'url' | 'request'>): Promise<void> {
  if (event.request.method !== 'POST') await signedIn(event)
}

/**
 * Refuses a form whose subject was changed since the form was shown (its hidden field `seen`): it would overwrite that change
 * unnoticed. The form that comes back has seen the change; sent again, it is accepted.
 */
export function refuseStale(form: FormData, updatedAt: string, of?: string): ReturnType<typeof refuse> | undefined {
  const seen = field(form, 'seen')
  if (seen === '' || seen === updatedAt) return undefined
  form.delete('seen')
  return refuse({ status: 409, message: readerWords()('community.changed') }, form, of)
}

/** The `editedAt` that a form was made of, in its hidden field `seen`; empty for a text that was never edited. */
export const seenIn = (form: FormData) => (form.has('seen') ? { seenEditedAt: field(form, 'seen') || null } : {})

/** The action that previews the Markdown field `name` of the form `of` without script. */
export const preview =
  (name: string, of: string | ((url: URL) => string)) =>
  async ({ request, locals, url }: Pick<RequestEvent, 'request' | 'locals' | 'url'>) => {
    const form = await request.formData()
    const shown = await renderLinkedText(locals, field(form, name).slice(0, 20_000))
    return { preview: shown, typed: typed(form), of: typeof of === 'string' ? of : of(url) }
  }

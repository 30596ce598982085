// What the pages share on which something new is written.
import { type RequestEvent, redirect } from '@sveltejs/kit'
import { field, signInPath, typed } from './answers.ts'
import { renderMarkdown } from './markdown.ts'

/** For pages of members: strangers sign in first, and come back. */
export async function signedIn({ locals, url }: Pick<RequestEvent, 'locals' | 'url'>): Promise<void> {
  if (!(await locals.user())) redirect(303, signInPath(url))
}

/** The action that shows a Markdown field as it will look, where there is no script to do it. */
export const preview =
  (name: string) =>
  async ({ request }: RequestEvent) => {
    const form = await request.formData()
    return { preview: renderMarkdown(field(form, name).slice(0, 20_000)), typed: typed(form) }
  }

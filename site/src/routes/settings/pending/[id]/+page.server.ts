// What an agent wants to write: what it sent, what would come of it, and the decision.

import type { Answer } from '#lib/api.ts'
import { valueText } from '#lib/features/account/pending.ts'
import type { SiteWords } from '#lib/language/catalogue.ts'
import { refusalIn } from '#lib/language/refusals.ts'
import { confirmed, inSession } from '#lib/server/account.ts'
import { action, field, found } from '#lib/server/answers.ts'
import { confirming } from '#lib/server/confirming.ts'
import { renderLinked } from '#lib/server/rendering.ts'
import { signedIn } from '#lib/server/writing.ts'
import { shownText } from '../../../../../../src/formats/visible.ts'
import { listedSubjects } from '../../../../../../src/subjects.ts'
import type { Actions, PageServerLoad } from './$types'

/** The fields that are Markdown: those of things, and the text of comments. */
const MARKDOWN: ReadonlySet<string> = new Set([
  'body',
  ...listedSubjects.flatMap(({ pages }) => pages?.fields.flatMap((one) => ('markdown' in one ? [one.name] : [])) ?? []),
])

/** Texts of a write as the site will show them. */
async function looksOf(locals: App.Locals, fields: Record<string, unknown>) {
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    MARKDOWN.has(name) && typeof value === 'string' && value.trim() !== '' ? [{ name, value }] : [],
  )
  const html = await renderLinked(
    locals,
    texts.map(({ value }) => value),
  )
  return texts.map(({ name }, at) => ({ name, html: html[at] ?? '' }))
}

/** What the API says of a refusal, in either of its forms. */
function messageIn(body: unknown): string | undefined {
  const { error, message } = (body ?? {}) as { error?: string | { message?: string }; message?: string }
  return typeof error === 'string' ? error : (error?.message ?? message)
}

/** Why it could not be made, in the words of the reader. */
function problemIn(t: SiteWords, answer: { status: number; body: unknown } | null): string | undefined {
  if (!answer || answer.status < 400) return undefined
  const message = messageIn(answer.body)
  return message === undefined ? undefined : refusalIn(t, message, answer.status)
}

/** What a version may do that the one before it may not, as the dry run of its publication said. */
function mayNewlyIn(body: unknown) {
  const { may_do_more: more } = (body ?? {}) as Pick<Answer<'library.publishVersion'>, 'may_do_more'>
  return more?.permissions ?? []
}

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const act = await found(event.locals.api.pendingActs.get({ id: event.params.id }))
  const { fields } = act.request
  // A version that waits for one of the people of its item takes a passkey, or what the account has.
  const credentials = await found(event.locals.api.reauthentication.show())
  return {
    act,
    credentials,
    mayNewly: mayNewlyIn(act.preview.body),
    looks: await looksOf(event.locals, fields),
    fields: Object.entries(fields)
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => ({ name, text: valueText(value) })),
    changes: act.changes.map(({ name, from, to }) => ({ name, from: valueText(from), to: valueText(to) })),
    title: act.target && shownText(act.target.title),
    answer: valueText(act.preview.body),
    problem: problemIn(event.locals.t, act.answer),
  }
}

export const actions = {
  ...confirming((url) => url.pathname),
  approve: action(
    (form, { locals, params, url }) =>
      confirmed(
        inSession(locals.api.pendingActs.approve({ id: params['id'] ?? '', seen: field(form, 'seen') || undefined })),
        `${url.pathname}?confirm=approve#confirm`,
      ),
    () => ({ decided: true }),
  ),
  refuse: action(
    (form, { locals, params }) =>
      inSession(locals.api.pendingActs.refuse({ id: params['id'] ?? '', reason: field(form, 'reason') })),
    () => ({ decided: true }),
  ),
} satisfies Actions

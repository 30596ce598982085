// What an agent wants to write: what it sent, what would come of it, and the decision.

import type { Answer } from '#lib/api.ts'
import type { SiteWords } from '#lib/language/catalogue.ts'
import { refusalIn } from '#lib/language/refusals.ts'
import { inSession } from '#lib/server/account.ts'
import { action, field, found } from '#lib/server/answers.ts'
import { signedIn } from '#lib/server/writing.ts'
import { shownText } from '../../../../../../src/formats/visible.ts'
import type { Actions, PageServerLoad } from './$types'

/** As the page shows it: what is not seen is written out, so that nothing is agreed to that was not read. */
const textOf = (value: unknown) => shownText(typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))

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

/** Where what was made can be seen: by its address or number, or else on the thing that it is about. */
function placeOf({ state, answer, target, request }: Answer<'pendingActs.get'>): string | undefined {
  if (state !== 'made' || request.method === 'DELETE') return undefined
  const { url, number } = (answer?.body ?? {}) as { url?: unknown; number?: unknown }
  const path = typeof url === 'string' ? URL.parse(url, 'http://localhost')?.pathname : undefined
  return path ?? (typeof number === 'number' ? `/community/${number}` : target?.url)
}

export const load: PageServerLoad = async (event) => {
  await signedIn(event)
  const act = await found(event.locals.api.pendingActs.get({ id: event.params.id }))
  const { fields } = act.request
  return {
    act,
    fields: Object.entries(fields)
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => ({ name, text: textOf(value) })),
    changes: act.changes.map(({ name, from, to }) => ({ name, from: textOf(from), to: textOf(to) })),
    title: act.target && shownText(act.target.title),
    made: placeOf(act),
    answer: textOf(act.preview.body),
    problem: problemIn(event.locals.t, act.answer),
  }
}

export const actions = {
  approve: action(
    (form, { locals, params }) =>
      inSession(locals.api.pendingActs.approve({ id: params['id'] ?? '', seen: field(form, 'seen') || undefined })),
    () => ({ decided: true }),
  ),
  refuse: action(
    (form, { locals, params }) =>
      inSession(locals.api.pendingActs.refuse({ id: params['id'] ?? '', reason: field(form, 'reason') })),
    () => ({ decided: true }),
  ),
} satisfies Actions

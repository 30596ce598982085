// One case: what was said of the thing, its author's history, and the decision.
import { judging } from '#lib/server/administration.ts'
import { action, field, found, stay } from '#lib/server/answers.ts'
import { pageNumber } from '#lib/server/page-number.ts'
import { renderLinkedText } from '#lib/server/rendering.ts'
import type { Decision, ModerationRule } from '../../../../../../src/contract/kinds.ts'
import type { Actions, PageServerLoad, RequestEvent } from './$types'

export const load: PageServerLoad = async (event) => {
  await judging(event)
  const { id } = event.params
  const page = pageNumber(event.url)
  const [one, reports] = await Promise.all([
    found(event.locals.api.moderation.case({ id })),
    found(event.locals.api.moderation.caseReports({ id, page })),
  ])
  const htmlOf = (text: string) => text && renderLinkedText(event.locals, text)
  const evidence = await Promise.all(one.evidence.map(async (kept) => ({ ...kept, html: await htmlOf(kept.text) })))
  return { one, reports, page, evidence, html: await htmlOf(one.target.text) }
}

export const actions = {
  decide: action(
    (form, { locals, params }: RequestEvent) =>
      locals.api.moderation.decide({
        id: params.id,
        action: field(form, 'action') as Decision,
        rule: field(form, 'rule') as ModerationRule,
        reason: field(form, 'reason'),
      }),
    stay,
    { written: true },
  ),
  undo: action(
    (form, { locals }) => locals.api.moderation.undo({ id: field(form, 'act'), reason: field(form, 'reason') }),
    stay,
    { of: (form) => `undo-${field(form, 'act')}` },
  ),
  appeal: action(
    (form, { locals }) =>
      locals.api.moderation.decideAppeal({
        id: field(form, 'act'),
        granted: field(form, 'granted') === 'true',
        reason: field(form, 'reason'),
      }),
    stay,
    { of: (form) => `appeal-${field(form, 'act')}`, written: true },
  ),
} satisfies Actions

// What pages ask the machine of the operator, where there is one.
import type { RequestEvent } from '@sveltejs/kit'
import { subjectAt } from '#lib/subjects.ts'
import { askable } from '../../../../src/community/assistant/contract.ts'
import { action, field, typed } from './answers.ts'

const typeAt = (subject: string | undefined) => askable.find((type) => type === subjectAt(subject as string).type)

/** Whether the reader can ask the machine about the thread of a page. */
export async function mayAsk(
  { locals, params }: Pick<RequestEvent<{ subject: string }>, 'locals' | 'params'>,
  { state, board }: { state?: string | undefined; board?: string | undefined },
): Promise<boolean> {
  if (state !== undefined || locals.server.off.hasOperation('assistant.summarize')) return false
  if (typeAt(params.subject) === undefined || (await locals.user()) === undefined) return false
  if (board === undefined) return true
  const { items } = await locals.api.boards.list({})
  return items.some(({ slug, closed }) => slug === board && !closed)
}

type Event = RequestEvent<{ subject: string; id: string }>

/** What the page is about. What cannot be asked about has no button: the API refuses it. */
const thingOf = ({ params }: Event) => ({ type: typeAt(params.subject) as 'bug', id: params.id })

/** The form of a comment, as it was sent. */
const comment = (form: FormData, body = field(form, 'body')) => ({ of: 'comment', typed: { ...typed(form), body } })

/** What is asked by the buttons of a page; the page shows what the machine says, and nothing is stored. */
export const assistantActions = {
  summarize: action(
    (_, event: Event) => event.locals.api.assistant.summarize(thingOf(event)),
    ({ text, model, createdAt }) => ({ summary: { text, model, createdAt } }),
  ),
  suggestLabels: action(
    (_, event: Event) => event.locals.api.assistant.suggestLabels(thingOf(event)),
    ({ items, severity, model, createdAt }) => ({ triage: { items, severity, model, createdAt } }),
  ),
  suggestAnswer: action(
    (_, event: Event) => event.locals.api.assistant.suggestAnswer(thingOf(event)),
    ({ text, sources, model, createdAt }, form) => ({ answer: { text, sources, model, createdAt }, ...comment(form) }),
    { of: () => 'comment', written: true },
  ),
  /** Puts a suggested answer into the box of a comment, after what is there; it is sent by hand. */
  takeAnswer: async ({ request }: Pick<Event, 'request'>) => {
    const form = await request.formData()
    const texts = [field(form, 'body').trimEnd(), field(form, 'suggested').slice(0, SUGGESTED_LENGTH)]
    return comment(form, texts.filter(Boolean).join('\n\n'))
  },
  translate: action(
    (form, { locals }: Event) =>
      locals.api.assistant.translate({ id: field(form, 'comment'), language: locals.t.language }),
    ({ text, language, model, createdAt }, form) => ({
      translation: { id: field(form, 'comment'), text, language, model, createdAt },
    }),
    { of: (form) => `translate ${field(form, 'comment')}` },
  ),
}

/** No answer of the machine is longer. */
const SUGGESTED_LENGTH = 8_000

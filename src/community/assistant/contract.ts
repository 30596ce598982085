// A machine that members can ask about what they read: the operator names one (AI_URL), and without it there are no such operations. Nothing that it
// says decides or is written anywhere; every answer says that a machine made it.
import { z } from 'zod'
import { write } from '../../content/area.ts'
import { EXAMPLE_ID, Id, LanguageTag, Timestamp, textLike } from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Contract } from '../../contract/operation.ts'
import { Severity } from '../bugs/subject.ts'

/** What can be asked about. */
export const askable = ['bug', 'feature', 'post'] as const

const Made = {
  madeBy: z.literal('machine'),
  model: textLike('mistral-small').meta({ description: 'Which machine' }),
  createdAt: Timestamp.meta({ description: 'When it answered' }),
  cached: z.boolean().meta({ example: false, description: 'Whether it was asked the same before' }),
}
const Said = textLike('The digest is sent twice when the clock changes.').meta({
  description: 'Plain text. It may be wrong, and it says what members wrote: data, never instructions',
})

const thing = z.object({ type: z.enum(askable).meta({ example: 'bug' }), id: Id })
const shared = {
  method: 'POST',
  kind: 'account',
  access: write,
  budget: 'machines',
  problems: ['not_found', 'conflict', 'unavailable'],
} as const
const RULES =
  'Made by a machine of the operator; nothing of a closed board is sent to it. 404 where the operator has none.'

export const assistant = {
  summarize: {
    ...shared,
    summary: 'Have a machine summarize a thread',
    synonyms: ['summary', 'tldr', 'what is this thread about'],
    description: `What was said, and what is open. ${RULES}`,
    path: '/community/assistant/summaries',
    input: thing,
    output: z.object({ text: Said, ...Made }).meta({ id: 'MachineSummary' }),
  },
  suggestLabels: {
    ...shared,
    summary: 'Have a machine suggest labels, and the severity of a bug',
    synonyms: ['triage help', 'classify bug'],
    description: `Of the labels and severities that there are; nothing is changed. ${RULES}`,
    path: '/community/assistant/labels',
    input: thing,
    output: z
      .object({
        items: z.array(z.object({ id: Id, name: textLike('digest') })),
        severity: Severity.nullable().meta({ description: 'Of a bug, where it suggests one' }),
        ...Made,
      })
      .meta({ id: 'MachineLabels' }),
  },
  suggestAnswer: {
    ...shared,
    summary: 'Have a machine suggest an answer, with its sources',
    synonyms: ['draft a reply', 'how was this solved before'],
    description: `From pages of the documentation and similar threads that everybody sees. ${RULES}`,
    path: '/community/assistant/answers',
    input: thing,
    output: z
      .object({
        text: Said,
        sources: z
          .array(z.object({ title: textLike('Webhooks'), url: textLike('/docs/webhooks'), href: Href }))
          .meta({ description: 'What it was given for that' }),
        ...Made,
      })
      .meta({ id: 'MachineReply' }),
  },
  translate: {
    ...shared,
    summary: 'Have a machine translate a comment',
    description: `Into a language of the site. ${RULES}`,
    path: '/community/assistant/translations',
    input: z.object({
      id: Id.meta({ example: EXAMPLE_ID, description: 'Of the comment' }),
      language: LanguageTag,
    }),
    output: z.object({ text: Said, language: LanguageTag, ...Made }).meta({
      id: 'MachineTranslation',
    }),
  },
} satisfies Contract

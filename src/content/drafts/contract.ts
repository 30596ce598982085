// What a member typed into a form of the site and did not send yet. For the site alone: a token reads no drafts.
import { z } from 'zod'
import { withCommas } from '../../contract/explain.ts'
import { Timestamp, text, textLike } from '../../contract/fields.ts'
import type { Access, Contract } from '../../contract/operation.ts'
import { community } from '../area.ts'
import { FORM, MAX_CHARACTERS, MAX_DRAFTS, MAX_FIELDS, PAGE } from './rules.ts'

const mine = { area: community, credential: 'session' } as const satisfies Access

const Path = text(1, 300)
  .regex(PAGE, 'must be the path of a page of this site')
  .meta({ example: '/community/bugs/new', description: 'The path of the page with the form' })
const Form = z
  .string()
  .regex(FORM, 'must be the name of a form')
  .meta({ example: 'create', description: 'Its form, by what it does' })

const Field = z.object({
  name: z.string().min(1).max(40).meta({ example: 'title' }),
  text: z.string().max(MAX_CHARACTERS).meta({ example: 'The digest is sent twice' }),
})

const Fields = z
  .array(Field)
  .min(1)
  .max(MAX_FIELDS)
  .refine(
    (fields) => fields.reduce((sum, { text }) => sum + text.length, 0) <= MAX_CHARACTERS,
    `must be at most ${withCommas(MAX_CHARACTERS)} characters together`,
  )
  .meta({ description: 'What is typed, field by field' })

export const drafts = {
  list: {
    summary: 'What I typed into the forms of a page and did not send',
    method: 'GET',
    path: '/community/drafts',
    access: mine,
    input: z.object({ path: Path }),
    output: z.object({
      items: z.array(
        z.object({
          form: textLike('create'),
          fields: z.array(z.object({ name: textLike('title'), text: textLike('The digest is sent twice') })),
          updatedAt: Timestamp,
        }),
      ),
    }),
  },
  save: {
    summary: 'Keep what I typed into a form, in place of what was kept of it',
    description: `An account has at most ${MAX_DRAFTS}: one more takes the place of the oldest. Each is kept for 30 days after it changed, unless the operator sets another time.`,
    method: 'PUT',
    kind: 'account',
    path: '/community/drafts',
    access: mine,
    budget: 'drafts',
    input: z.object({ path: Path, form: Form, fields: Fields }),
    output: z.object({ updatedAt: Timestamp }),
  },
  delete: {
    summary: 'Forget what I typed into a form',
    method: 'DELETE',
    kind: 'account',
    path: '/community/drafts',
    access: mine,
    budget: 'drafts',
    input: z.object({ path: Path, form: Form }),
    output: z.object({ deleted: z.boolean().meta({ description: 'Whether there was a draft' }) }),
  },
} satisfies Contract

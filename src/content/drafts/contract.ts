// What a member typed into a form of the site and did not send yet. For the site alone: a token reads no drafts.
import { z } from 'zod'
import { withCommas } from '../../contract/explain.ts'
import { Timestamp, text, textLike } from '../../contract/fields.ts'
import type { Access, Contract } from '../../contract/operation.ts'
import { community } from '../area.ts'

// A draft is bounded in every way, and of a form of this site.

/** So many drafts an account has; one more takes the place of the oldest. */
export const MAX_DRAFTS = 30
/** Fields of one form. */
export const MAX_FIELDS = 12
/** In characters, of all fields of a draft: more than any form takes, so that what is too long is kept too. */
export const MAX_CHARACTERS = 60_000

/** The path of a page of this site, without its query. Each character can be matched in one way only: a long path that does not fit is refused at once. */
export const PAGE = /^\/(?:[\w.~%@-]+(?:\/[\w.~%@-]+)*\/?)?$/
/** A form of a page, by its action, and by what it is for where there are several of one kind: `comment`, `editComment:<id>`. */
export const FORM = /^[a-zA-Z]{1,30}(?::[\w-]{1,60})?$/

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

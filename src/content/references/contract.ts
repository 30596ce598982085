// What `#128` and `@name` in a text refer to, one by one for agents, and together for a page of texts.
import { z } from 'zod'
import { commaList, EXAMPLE_ID, Id, ThingNumber, textLike } from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import { feedKinds } from '../../contract/kinds.ts'
import type { Contract } from '../../contract/operation.ts'
import { open } from '../area.ts'
import { listOfNames, listOfNumbers, MAX_REFERENCES } from './rules.ts'

export const Numbered = z
  .object({
    number: ThingNumber,
    type: z.enum(feedKinds).meta({ example: 'bug' }),
    id: Id,
    title: textLike('The digest is sent twice when the clock changes'),
    url: textLike(`/community/bugs/${EXAMPLE_ID}`).meta({ description: 'Where the site shows it' }),
    href: Href,
  })
  .meta({ id: 'Numbered' })

const Named = z.object({
  username: textLike('mira'),
  url: textLike('/community/u/mira').meta({ description: 'The profile' }),
  href: Href,
})

/** Several of one kind, with commas between them. */
const several = <Values>(read: (text: string) => Values[] | undefined, what: string) =>
  commaList(3_000)
    .default('')
    .transform((text, context) => {
      const values = read(text)
      if (!values) context.addIssue(`must be at most ${MAX_REFERENCES} ${what} with commas between them`)
      return values ?? []
    })

/** Null for what is not written as a number is, such as 0x1: nothing has it. */
const asNumber = (given: unknown) =>
  typeof given === 'string' ? (/^-?\d+(?:\.\d+)?$/.test(given) ? Number(given) : null) : given

export const references = {
  get: {
    summary: 'The bug, feature request or post of a number',
    synonyms: ['look up #128', 'find by number', 'open issue number'],
    method: 'GET',
    path: '/community/numbers/{number}',
    access: open,
    input: z.object({
      number: z
        .preprocess(asNumber, ThingNumber.nullable())
        .meta({ description: 'A number, without the #', example: 128 }),
    }),
    output: Numbered,
    problems: ['not_found'],
  },
  list: {
    summary: 'What the numbers and names in texts refer to',
    description: `At most ${MAX_REFERENCES} of each. What does not exist is left out.`,
    method: 'GET',
    path: '/community/references',
    access: open,
    input: z.object({
      numbers: several(listOfNumbers, 'numbers').meta({ description: 'Numbers, with commas', example: '128,129' }),
      usernames: several(listOfNames, 'usernames').meta({ description: 'Usernames, with commas', example: 'mira' }),
    }),
    output: z.object({
      numbers: z.array(Numbered),
      members: z.array(Named),
      users: z.array(Named).meta({ description: 'Use `members`', deprecated: true }),
    }),
  },
} satisfies Contract

// What every thing in a list has beyond its own record (behaviour.md, section 3).
import { z } from 'zod'
import { MyVote } from '../contract/fields.ts'

export const entryFields = {
  authorUsername: z.string().nullable(),
  score: z.int(),
  myVote: MyVote,
  commentCount: z.int().meta({ description: '0 for what cannot be commented on' }),
  url: z.string().meta({ description: 'Where the site shows it' }),
}

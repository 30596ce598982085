// What every thing in a list has beyond its own record (behaviour.md, section 3).
import { z } from 'zod'
import { MyVote, textLike, UsernameOrNull } from '../contract/fields.ts'

/** `url` is that of an example. */
export const entryFieldsOf = (url: string) => ({
  authorUsername: UsernameOrNull,
  score: z.int(),
  myVote: MyVote,
  commentCount: z.int().meta({ example: 2, description: '0 for what cannot be commented on' }),
  url: textLike(url).meta({ description: 'Where the site shows it' }),
})

// What a report is about, as the API has it.
import { z } from 'zod'
import { EXAMPLE_ID, Id, textLike } from '../../contract/fields.ts'
import { reportable } from '../../contract/kinds.ts'

export const TargetType = z.enum(reportable).meta({
  example: 'post',
  description: '`run` is one of an org, `item` a library item, `team` one that owns such items, `user` a profile',
})

export const Target = z.object({
  type: TargetType,
  id: Id,
  title: textLike('Cheap watches').meta({ description: 'Empty for a comment; of a notice the beginning of its text' }),
  url: textLike(`/community/posts/${EXAMPLE_ID}`),
})

// What every comment has; each parent adds the field that points to it (interface.md, section 2, Comments).
import { z } from 'zod'
import { Id, PageNumber, PageSize, Timestamp, text, UsernameOrNull } from '../../contract/fields.ts'

export const CommentBody = text(1, 1000).meta({ example: 'The same here, since the last version.' })

export const Comment = z.object({
  id: Id,
  authorId: Id,
  authorUsername: UsernameOrNull,
  body: CommentBody,
  createdAt: Timestamp,
})
export type Comment = z.infer<typeof Comment>

/** Comments are listed oldest first, whatever the sort (behaviour.md, section 2). */
export const commentListInput = z.object({ page: PageNumber, per_page: PageSize })

// Voting on items and talking about them: a part of the community, where errors are { error }.
import { byId, commentOperations, voteOperation } from '../../content/subject-contract.ts'
import type { Contract } from '../../contract/operation.ts'
import { item } from '../subject.ts'

/** Private items are found by nobody else. */
const publicItem = { ...item, one: 'a public item' }

export const discussion = {
  ...voteOperation(publicItem),
  ...commentOperations(publicItem, byId),
  deleteComment: commentOperations(item, byId).deleteComment,
} satisfies Contract
